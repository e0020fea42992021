// A file dropped on the lobby goes into the form that imports it, like one that was chosen there.

const form = document.getElementById("drop");
const input = form.querySelector("input[type=file]");
const large = document.getElementById("too-large");
const holdsFile = (event) => event.dataTransfer?.types.includes("Files");

document.getElementById("may-drop").hidden = false;

function fits() {
  large.hidden = !input.files[0] || input.files[0].size <= Number(form.dataset.bytes);
  return large.hidden;
}

addEventListener("dragover", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  form.classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) form.classList.remove("over");
});
addEventListener("drop", (event) => {
  if (!holdsFile(event)) return;
  event.preventDefault();
  form.classList.remove("over");
  const file = new DataTransfer();
  file.items.add(event.dataTransfer.files[0]);
  input.files = file.files;
  form.scrollIntoView({ block: "nearest" });
  if (fits()) form.requestSubmit();
});
input.addEventListener("change", fits);
form.addEventListener("submit", (event) => {
  if (!fits()) event.preventDefault();
});
