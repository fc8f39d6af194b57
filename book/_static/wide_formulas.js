// A formula within a line that is wider than the text column scrolls by itself instead of being cut.
window.addEventListener("load", async () => {
  if (!window.MathJax?.startup) return;
  await MathJax.startup.promise;
  const article = document.querySelector("article");
  if (!article) return;
  const look = () => {
    for (const formula of article.querySelectorAll("mjx-container:not([display])")) {
      const room = formula.parentElement.closest("p, li, dd, td, div")?.clientWidth;
      const width = formula.querySelector("mjx-math")?.getBoundingClientRect().width;
      const shown = room > 50 && width > 0; // texts of a quiz wait in a box of one pixel
      const scrolls = formula.closest("table"); // as a whole
      formula.classList.toggle("wide", shown && !scrolls && width > room + 1);
    }
  };
  // Also when a solution unfolds: what was hidden had no width.
  new ResizeObserver(look).observe(article);
});
