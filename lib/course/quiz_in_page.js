// Around jupyterquiz: texts that the page has typeset, keyboard, screen readers, a Check button.

// Fill every <span data-part="key"> in `where` with the stored text of that name.
function placeTexts(where) {
  const quiz = where.closest(".course-quiz");
  const store = quiz.querySelector(".course-quiz-texts");
  where.querySelectorAll("span[data-part]").forEach((span) => {
    if (span.hasChildNodes()) return;
    const text = store.querySelector(`[data-part="${span.dataset.part}"]`);
    if (text) text.childNodes.forEach((node) => span.append(node.cloneNode(true)));
  });
  const raw = /\\\(|\\\[/.test(where.textContent);
  if (raw && window.MathJax && window.MathJax.typesetPromise) window.MathJax.typesetPromise([where]);
}

// Questions and answers are moved, not copied: whenever the page sets formulas, it finds them.
function moveTexts(root) {
  const store = root.closest(".course-quiz").querySelector(".course-quiz-texts");
  root.querySelectorAll("span[data-part]").forEach((span) => {
    const text = store.querySelector(`[data-part="${span.dataset.part}"]`);
    if (text) span.replaceWith(text);
  });
}

function announceFeedback(question, feedback) {
  feedback.setAttribute("role", "status");
  feedback.setAttribute("aria-live", "polite");
  feedback.setAttribute("aria-atomic", "true");
  const text = question.querySelector("[id^=quizQn]");
  if (text) question.querySelector(".Answer").setAttribute("aria-labelledby", text.id);
}

// Arrow keys move between answers, Space and Enter choose: moving alone must not answer.
function arrangeChoices(question) {
  const many = question.querySelector(".ManyChoiceQn") !== null;
  const answers = question.querySelector(".Answer");
  const inputs = Array.from(answers.querySelectorAll("input"));
  answers.setAttribute("role", many ? "group" : "radiogroup");
  inputs.forEach((input, index) => {
    const label = input.closest("label");
    const choose = label.onclick;
    label.onclick = null;
    if (many) input.type = "checkbox";
    input.addEventListener("change", () => label.dispatchEvent(new Event("choose")));
    label.addEventListener("choose", (event) => {
      choose.call(label, event);
      inputs.forEach((one) => {
        const chosen = /correctButton/i.test(one.closest("label").className);
        one.checked = many ? chosen : one === input;
      });
    });
    input.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) {
        event.preventDefault();
        inputs[(index + step + inputs.length) % inputs.length].focus();
      } else if (event.key === "Enter" || (event.key === " " && input.checked)) {
        event.preventDefault();
        label.dispatchEvent(new Event("choose"));
      }
    });
  });
}

function arrangeNumber(question) {
  const input = question.querySelector(".Input-text");
  const label = question.querySelector(".InpLabel");
  const feedback = question.querySelector(".Feedback");
  label.htmlFor = input.id;
  label.textContent = "Your answer, a number or a fraction:";
  input.autocomplete = "off";
  input.onkeypress = null;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "course-quiz-check";
  button.textContent = "Check";
  input.after(button);
  const mark = () => {
    input.value = input.value.trim().replace(/−/g, "-").replace(/^(-?\d+),(\d+)$/, "$1.$2");
    const parts = input.value.split("/").map((part) => (part.trim() === "" ? NaN : Number(part)));
    if (parts.length > 2 || parts.some((part) => !Number.isFinite(part)) || parts[1] === 0) {
      input.className = "Input-text";
      feedback.className = "Feedback incorrect";
      feedback.textContent = "Type a number such as 0.25, -3, 1e-4 or 1/4.";
      return;
    }
    check_numeric(input, { keyCode: 13 });
  };
  button.addEventListener("click", mark);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      mark();
    }
  });
}

function startQuiz(name, questions) {
  // The same notebook may be open twice in one window: each view has its own container.
  const roots = Array.from(document.querySelectorAll(`[id="${name}"]`));
  const root = roots.find((one) => !one.dataset.prefix);
  if (!root) {
    if (!roots.length) setTimeout(() => startQuiz(name, questions), 200);
    return;
  }
  root.dataset.prefix = roots.length > 1 ? `${name}v${roots.indexOf(root)}` : name;
  show_questions(questions, root);
  root.querySelectorAll(".Quiz").forEach((question) => {
    announceFeedback(question, question.querySelector(".Feedback"));
    if (question.querySelector(".NumericQn")) arrangeNumber(question);
    else arrangeChoices(question);
  });
  moveTexts(root);
}
