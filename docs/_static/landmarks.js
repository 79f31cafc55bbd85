/* What the theme leaves out for readers of the screen: names of the two sidebars, and a focus for what can be scrolled. */
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
if (!document.querySelector("h1")) document.querySelector("article")?.prepend(Object.assign(document.createElement("h1"), { textContent: document.title.split(" - ")[0] }));
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
for (const part of document.querySelectorAll("pre, figure, .table-wrapper")) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}
