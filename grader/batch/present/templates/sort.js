"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  for (const head of table.tHead.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numbers = head.dataset.sort === "number";
      const before = head.getAttribute("aria-sort") ?? (numbers ? "ascending" : "descending");
      const way = before === "ascending" ? "descending" : "ascending";
      table.querySelectorAll("th[aria-sort]").forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way);
      const value = (row) => row.cells[head.cellIndex].dataset.value ?? "";
      const order = (a, b) => (numbers ? a - b : a.localeCompare(b, undefined, { numeric: true }));
      const rows = [...body.rows].sort((one, other) => {
        const [a, b] = [value(one), value(other)];
        if (a === "" || b === "") return (a === "") - (b === ""); // what is not known comes last, either way
        return way === "ascending" ? order(a, b) : order(b, a);
      });
      body.append(...rows);
    });
  }
}
