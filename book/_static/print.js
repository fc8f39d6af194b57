// Paper is white: print a page that is read in the dark with the colours of the light one.
(() => {
  const root = document.documentElement;
  let theme = null;
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  window.addEventListener("afterprint", () => {
    if (theme !== null) root.dataset.theme = theme;
    theme = null;
  });
})();
