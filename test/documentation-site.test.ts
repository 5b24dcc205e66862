import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pages } from "../docs/.vitepress/pages.ts";
import { entries } from "../tools/entries.ts";
import { documents } from "./fresh-project/examples.ts";

let directory: string;
/** The pages of the site: path to HTML. */
let site: ReadonlyMap<string, string>;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubedouble-site-"));
  execFileSync(process.execPath, ["tools/run.mjs", "tools/docs.ts", "build", directory], { stdio: "pipe" });
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".html") && file !== "404.html");
  site = new Map(files.map((file) => [`/${file}`, readFileSync(join(directory, file), "utf8")]));
}, 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("every link of the site leads to a page, and to a heading that the page has", () => {
  const broken = [...site].flatMap(([page, html]) =>
    linksOf(page, html)
      .filter(({ path, anchor }) => !leadsSomewhere(path, anchor))
      .map(({ href }) => `${page}: ${href}`),
  );
  expect(site.size).toBeGreaterThan(30);
  expect(broken).toEqual([]);
});

test("every page can be reached from the start page", () => {
  const reached = new Set<string>();
  const open = ["/index.html"];
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (reached.has(page) || !site.has(page)) continue;
    reached.add(page);
    open.push(...linksOf(page, site.get(page) ?? "").map(({ path }) => path));
  }
  expect([...site.keys()].filter((page) => !reached.has(page))).toEqual([]);
});

test("the sidebar has every page of the documentation", () => {
  const links = pages.flatMap(({ items }) => items.map(({ link }) => link));
  const written = documents
    .filter((document) => document.startsWith("docs/") && document !== "docs/index.md")
    .map((document) => document.replace(/^docs|\.md$/g, ""));
  expect(links.filter((link) => link !== "/recipes/").sort()).toEqual(written.sort());
});

test("the reference shows the doc comments of what an entry exports", () => {
  const html = site.get("/reference/node.html") ?? "";
  expect(html).toContain("Serves a cluster to clients of any language.");
  expect(html).toContain('id="serve"');
});

test.each(entries.map(({ name }) => name))("the reference has every export of %s", (name) => {
  const api = readFileSync(`api/${name}.d.ts`, "utf8");
  const [, list = ""] = /^export \{ (.*) \};$/m.exec(api) ?? [];
  // Names of other packages are documented there.
  const foreign = [...api.matchAll(/^\/\/ uses (\S+) from/gm)].map(([, other]) => other);
  const exported = list
    .split(", ")
    .filter((one) => one !== "" && one !== "default" && !foreign.includes(one));
  const html = site.get(`/reference/${name === "index" ? "kubedouble" : name}.html`) ?? "";
  expect(html).not.toBe("");
  expect(exported.filter((one) => !html.includes(`id="${one.toLowerCase()}"`))).toEqual([]);
});

interface Link {
  readonly href: string;
  /** The file of the site, or the empty text for other sites. */
  readonly path: string;
  readonly anchor: string;
}

function linksOf(page: string, html: string): readonly Link[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => !/^[a-z]+:/.test(href))
    .map((href) => {
      const [target = "", anchor = ""] = href.split("#");
      const path = target === "" ? page : posix.resolve(posix.dirname(page), target);
      return { href, path: target.endsWith("/") ? posix.join(path, "index.html") : path, anchor };
    });
}

function leadsSomewhere(path: string, anchor: string): boolean {
  const html = site.get(path);
  if (html === undefined) return existsSync(join(directory, path)) && anchor === "";
  return anchor === "" || html.includes(`id="${decodeURIComponent(anchor)}"`);
}
