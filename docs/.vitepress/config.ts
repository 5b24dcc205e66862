import { defineConfig } from "vitepress";
import { referenceItems } from "../../tools/reference.ts";
import { pages } from "./pages.ts";

const reference = {
  text: "API reference",
  link: "/reference/",
  collapsed: true,
  items: referenceItems().map(([text, file]) => ({ text, link: `/reference/${file}` })),
};

/** Pages with wide tables, which take the place of the outline. */
const wide = ["comparison.md", "failures.md", "scoreboard.md", "versions.md"];

export default defineConfig({
  title: "kubedouble",
  description: "A test double of the Kubernetes API: one process, no binaries, ready in milliseconds",
  lang: "en-US",
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Get started", link: "/getting-started" },
      { text: "Failures", link: "/failures" },
      { text: "API", link: "/reference/" },
    ],
    sidebar: [...pages, reference],
  },
  transformPageData(page) {
    if (wide.includes(page.relativePath)) page.frontmatter["aside"] = false;
  },
  markdown: {
    config(markdown) {
      // The recipes are beside the documentation in the repository and below it on the site; READMEs are index pages.
      const normalize = markdown.normalizeLink;
      markdown.normalizeLink = (url) =>
        normalize(
          url
            .replace(/^(\.\.\/)+recipes\//, "/recipes/")
            .replace(/^\.\.\/\.\.\/docs\/|^\.\.\/docs\//, "/")
            .replace(/README\.md$/, "index.md"),
        );
    },
  },
});
