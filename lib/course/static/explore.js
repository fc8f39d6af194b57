// Brings every waiting exploration on the page to life; keeps no state outside its own element.
document.querySelectorAll(".course-explore:not([data-ready])").forEach((root) => {
  const data = root.querySelector("script.explore-data");
  if (!data) return;
  root.dataset.ready = "";
  const { values, start, frames } = JSON.parse(data.textContent);
  const stage = root.querySelector(".explore-stage");
  const [background, first] = stage.querySelectorAll("img");
  const status = root.querySelector(".explore-status");
  const alt = first.alt.slice(0, first.alt.lastIndexOf(" ("));
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  const images = frames.map((uri) => {
    if (uri === null) return first;
    const image = new Image();
    image.src = uri;
    return image;
  });

  // One canvas at the frames' own resolution: scaling two stacked images would show seams.
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.style.cssText = "width:100%;height:auto;display:block";
  const ready = (image) => image.complete && image.naturalWidth > 0;
  let wanted = null;
  function paint(image) {
    wanted = image;
    const waiting = [background, image].find((part) => !ready(part));
    if (waiting) {
      waiting.addEventListener("load", () => wanted === image && paint(image), { once: true });
      return;
    }
    if (!canvas.isConnected) {
      canvas.width = background.naturalWidth;
      canvas.height = background.naturalHeight;
      stage.replaceChildren(canvas);
    }
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(background, 0, 0);
    context.drawImage(image, 0, 0);
    canvas.dataset.frame = images.indexOf(image);
  }

  const rows = [...root.querySelectorAll(".explore-row")].map((row) => ({
    range: row.querySelector("input"),
    output: row.querySelector("output"),
    button: row.querySelector("button"),
    label: row.querySelector(".explore-name").textContent,
    timer: null,
  }));
  const state = () => rows.map((row, k) => `${row.label} = ${values[k][row.range.value]}`).join(", ");

  function update() {
    let index = 0;
    rows.forEach((row, k) => {
      const text = values[k][row.range.value];
      row.output.textContent = text;
      row.range.setAttribute("aria-valuetext", text);
      index = index * values[k].length + Number(row.range.value);
    });
    canvas.setAttribute("aria-label", `${alt} (${state()})`);
    paint(images[index]);
  }

  function dress(row) {
    const playing = row.timer !== null;
    const verb = playing ? "Pause" : calm.matches ? "Next" : "Play";
    row.button.textContent = playing ? "❚❚" : calm.matches ? "▶❚" : "▶";
    row.button.setAttribute("aria-label", `${verb} ${row.label}`);
    row.button.title = `${verb} ${row.label}`;
  }
  function pause(row) {
    if (row.timer === null) return;
    clearInterval(row.timer);
    row.timer = null;
    dress(row);
    status.textContent = state(); // a moving slider is announced by itself, the button is not
  }
  function step(row) {
    const last = Number(row.range.max);
    row.range.value = row.range.value >= last ? 0 : Number(row.range.value) + 1;
    update();
    return Number(row.range.value) < last;
  }
  function press(row) {
    if (row.timer !== null) return pause(row);
    rows.forEach(pause);
    const more = step(row);
    if (calm.matches || !more) {
      status.textContent = state();
      return;
    }
    const pace = Math.min(600, Math.max(120, 8000 / (Number(row.range.max) + 1)));
    row.timer = setInterval(() => {
      if (!root.isConnected) clearInterval(row.timer);
      else if (!step(row)) pause(row);
    }, pace);
    dress(row);
  }

  rows.forEach((row, k) => {
    row.range.value = start[k]; // browsers restore old positions on reload
    row.range.addEventListener("input", () => {
      rows.forEach(pause);
      update();
    });
    row.button.addEventListener("click", () => press(row));
    dress(row);
  });
  calm.addEventListener("change", () => rows.forEach(dress));
  root.querySelector(".explore-controls").hidden = false;
  update();
});
