const filters = document.querySelector(".filters");
if (filters) {
  const rows = [...document.querySelectorAll("tbody tr[data-state]")];
  const [state, verdict, text] = ["state", "verdict", "text"].map((name) => filters.querySelector(`[name=${name}]`));
  const apply = () => {
    const words = text.value.trim().toLocaleLowerCase();
    const fits = (row) =>
      (!state.value || row.dataset.state === state.value) &&
      (!verdict.value || row.dataset.verdict === verdict.value) &&
      row.textContent.toLocaleLowerCase().includes(words);
    rows.forEach((row) => (row.hidden = !fits(row)));
    filters.querySelector("output").value = `${rows.filter((row) => !row.hidden).length} of ${rows.length} students`;
  };
  filters.hidden = false;
  filters.addEventListener("input", apply);
  apply();
}
