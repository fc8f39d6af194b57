// Brings every waiting exploration on the page to life; keeps no state outside its own element.
document.querySelectorAll(".course-explore:not([data-ready])").forEach((root) => {
  const data = root.querySelector(".explore-data");
  if (!data) return;
  root.dataset.ready = "";
  const { alt, start, values, background, layers } = JSON.parse(data.textContent);
  const picture = root.querySelector(".explore-picture");
  const status = root.querySelector(".explore-status");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const rows = [...root.querySelectorAll(".explore-row")].map((row) => ({
    name: row.querySelector(".explore-name").textContent,
    range: row.querySelector("input"),
    output: row.querySelector("output"),
    button: row.querySelector("button"),
    timer: null,
  }));

  const load = (uri) => Object.assign(new Image(), { src: uri });
  const ground = load(background);
  const images = layers.map(load);

  // One canvas at the frames' own resolution: two scaled images on top of each other show seams.
  const canvas = document.createElement("canvas");
  canvas.className = "explore-canvas";
  canvas.setAttribute("role", "img");
  canvas.style.cssText = picture.style.cssText;
  let wanted = -1;
  function paint(index) {
    wanted = index;
    const missing = [ground, images[index]].find((image) => !image.complete);
    if (missing) {
      missing.addEventListener("load", () => wanted === index && paint(index), { once: true });
      return;
    }
    if (!canvas.isConnected) {
      canvas.width = ground.naturalWidth;
      canvas.height = ground.naturalHeight;
      picture.replaceWith(canvas);
    }
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(ground, 0, 0);
    context.drawImage(images[index], 0, 0);
    canvas.dataset.frame = index;
    canvas.setAttribute("aria-label", `${alt} (${state()})`);
  }

  const reading = (row, k) => values[k][row.range.value];
  const state = () => rows.map((row, k) => `${row.name} = ${reading(row, k)}`).join(", ");
  // The slider in focus speaks for itself; what a button did is said here.
  const announce = () => (status.textContent = state());

  function update() {
    let index = 0;
    rows.forEach((row, k) => {
      row.output.textContent = reading(row, k);
      row.range.setAttribute("aria-valuetext", reading(row, k));
      index = index * values[k].length + Number(row.range.value);
    });
    paint(index);
  }

  function dress(row) {
    const [verb, sign] =
      row.timer !== null ? ["Pause", "❚❚"] : calm.matches ? ["Next", "▶❚"] : ["Play", "▶"];
    row.button.textContent = sign;
    row.button.title = `${verb} ${row.name}`;
    row.button.setAttribute("aria-label", row.button.title);
  }
  function pause(row) {
    if (row.timer === null) return;
    clearInterval(row.timer);
    row.timer = null;
    dress(row);
  }
  function step(row) {
    const last = Number(row.range.max);
    const next = Number(row.range.value) + 1;
    row.range.value = next > last ? 0 : next;
    update();
    if (next === last || !root.isConnected) {
      pause(row);
      announce();
    }
  }
  function press(row) {
    const playing = row.timer !== null;
    rows.forEach(pause);
    if (playing || calm.matches) {
      if (!playing) step(row); // motion is unwelcome: one step for each press
      announce();
      return;
    }
    const pace = Math.min(600, Math.max(120, 8000 / values[rows.indexOf(row)].length));
    row.timer = setInterval(() => step(row), pace);
    dress(row);
    step(row);
  }

  rows.forEach((row, k) => {
    row.range.value = start[k]; // a reloaded page may bring an old position back
    row.range.addEventListener("input", () => {
      rows.forEach(pause);
      update();
    });
    row.button.addEventListener("click", () => press(row));
    dress(row);
  });
  calm.addEventListener("change", () => {
    rows.forEach(pause);
    rows.forEach(dress);
  });
  root.querySelector(".explore-controls").style.display = "";
  update();
});
