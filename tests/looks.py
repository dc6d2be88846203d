"""What is looked at on every page in a browser, as JavaScript that returns what is wrong."""

# WCAG 2.2, success criterion 1.4.3, of every text that stands on a plain colour.
PALE = """
() => {
    const light = ([r, g, b]) => [r, g, b].map(one => one / 255)
        .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
        .reduce((sum, one, which) => sum + one * [0.2126, 0.7152, 0.0722][which], 0);
    const colour = text => text.match(/[\\d.]+/g).map(Number);
    const behind = one => {
        for (; one; one = one.parentElement) {
            const found = colour(getComputedStyle(one).backgroundColor);
            if (found.length < 4 || found[3] > 0) return found;
        }
        return [255, 255, 255];
    };
    const pale = [];
    for (const one of document.querySelectorAll('body *:not(svg *):not(.skip)')) {
        if (![...one.childNodes].some(child => child.nodeType === 3 && child.data.trim())) continue;
        const [ink, page] = [light(colour(getComputedStyle(one).color)), light(behind(one))];
        const contrast = (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
        if (contrast < 4.5) pale.push(one.className + ' ' + contrast.toFixed(1) + ' ' + one.textContent.slice(0, 30));
    }
    return pale;
}
"""
