(function () {
  var tip = document.getElementById("tip");
  function hide() { tip.style.display = "none"; }
  function show(event) {
    var target = event.target;
    var text = target.getAttribute ? target.getAttribute("data-tip") : null;
    if (!text) { hide(); return; }
    tip.textContent = text;
    tip.style.display = "block";
    var wide = tip.offsetWidth, high = tip.offsetHeight;
    var x = Math.min(event.clientX + 12, window.innerWidth - wide - 8);
    var y = event.clientY - high - 12;
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = (y > 4 ? y : event.clientY + 16) + "px";
  }
  document.querySelectorAll("[data-tip] title").forEach(function (title) { title.remove(); });
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  window.addEventListener("scroll", hide, true);
  document.querySelectorAll("section").forEach(function (section) {
    var kept = null;
    function pick(name) {
      section.classList.toggle("picked", name !== null);
      section.querySelectorAll(".series").forEach(function (series) {
        series.classList.toggle("on", series.getAttribute("data-curve") === name);
      });
    }
    section.querySelectorAll(".legend button").forEach(function (button) {
      var name = button.getAttribute("data-curve");
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("pointerenter", function () { pick(name); });
      button.addEventListener("pointerleave", function () { pick(kept); });
      button.addEventListener("focus", function () { pick(name); });
      button.addEventListener("blur", function () { pick(kept); });
      button.addEventListener("click", function () {
        kept = kept === name ? null : name;
        section.querySelectorAll(".legend button").forEach(function (other) {
          other.setAttribute("aria-pressed", String(other.getAttribute("data-curve") === kept));
        });
        pick(kept);
      });
    });
  });
}());
