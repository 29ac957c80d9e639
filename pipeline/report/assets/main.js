// Ties the page together: findings open in place, the table's questions in a dialog.

const dialog = document.getElementById("opened");

function openCase(question, candidate) {
  document.getElementById("opened-title").textContent = page.ids[question];
  const body = dialog.querySelector(".body");
  body.replaceChildren(el("p", { class: "dim" }, "Opening…"));
  if (!dialog.open) dialog.showModal();
  showCase(body, question, candidate).then(() => { body.scrollTop = 0; });
}

// Fill a finding the first time it opens; returns when it is filled.
function fill(details) {
  if (!details.filled) {
    const body = details.querySelector(":scope > .body");
    details.filled = showCase(body, Number(details.dataset.question), Number(details.dataset.candidate), true);
  }
  return details.filled;
}

function wireFindings() {
  const findings = [...document.querySelectorAll("details.case")];
  for (const details of findings) {
    details.addEventListener("toggle", () => details.open && fill(details));
  }
  // On paper the deepest regressions stand open: they are made ready while nobody waits.
  const printed = findings.filter((details) => details.classList.contains("worse")).slice(0, 20);
  const idle = window.requestIdleCallback || ((done) => setTimeout(done, 200));
  const ready = (at) => at < printed.length && idle(() => fill(printed[at]).then(() => ready(at + 1)));
  ready(0);
  const closed = new Set();
  window.addEventListener("beforeprint", () => {
    printed.filter((details) => !details.open).forEach((details) => { closed.add(details); details.open = true; });
    if (page.candidates.length) { table.whole = true; table.first = -1; drawRows(); }
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((details) => { details.open = false; });
    closed.clear();
    if (page.candidates.length) { table.whole = false; table.first = -1; drawRows(); }
  });
}

function wireQuestions() {
  const form = document.getElementById("filters");
  const charts = document.getElementById("charts");
  const open = (question) => openCase(question, asked.candidate);
  const pick = (metric) => {
    Object.assign(asked, { metric, sort: metric, up: true });
    drawFilters(form, changed);
    refresh();
  };
  const changed = (key) => {
    if (key === "candidate") drawCharts(charts, asked.candidate, open, pick);
    refresh();
  };
  drawFilters(form, changed);
  drawCharts(charts, asked.candidate, open, pick);
  refresh();
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => {
    Object.assign(asked, START, { candidate: asked.candidate });
    drawFilters(form, changed);
    refresh();
  });
  const scroller = document.getElementById("scroller");
  scroller.addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
  scroller.addEventListener("keydown", moveFocus);
  window.addEventListener("resize", drawRows);
}

dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
wireFindings();
if (page.candidates.length) wireQuestions();
if (matchMedia("(max-width: 68rem)").matches) document.querySelector(".contents details").open = false;
