// A list below a field: a row is shown if it has all the words of the field; a section without rows is hidden.
const field = document.querySelector("input.filter");
if (field) {
  field.hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of field.parentElement.querySelectorAll("tbody tr")) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    }
    for (const section of field.parentElement.querySelectorAll("section")) {
      section.hidden = !section.querySelector("tbody tr:not([hidden])");
    }
  });
}
