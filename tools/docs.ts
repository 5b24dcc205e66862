import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, createServer } from "vitepress";
import { emitDeclarations } from "./build-types.ts";
import { referencePages } from "./reference.ts";

/** The parts of the site that are generated: from the doc comments, and copied from the recipes. */
const reference = "docs/reference";
const recipes = "docs/recipes";

/** Generates the pages that are not committed. */
export function generatePages(): void {
  rmSync(reference, { recursive: true, force: true });
  mkdirSync(reference, { recursive: true });
  for (const [file, text] of referencePages(emitDeclarations())) writeFileSync(join(reference, file), text);
  rmSync(recipes, { recursive: true, force: true });
  mkdirSync(recipes, { recursive: true });
  cpSync("recipes/README.md", join(recipes, "index.md"));
  for (const entry of readdirSync("recipes", { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    cpSync(`recipes/${entry.name}/README.md`, join(recipes, entry.name, "index.md"));
  }
}

/** Builds the site into a directory. */
export async function buildSite(directory: string): Promise<void> {
  generatePages();
  await build("docs", { outDir: directory });
}

/** `npm run docs` serves the site; `npm run docs -- build [DIRECTORY]` builds it, by default into `docs/.vitepress/dist`. */
export async function main([command = "serve", directory]: readonly string[]): Promise<number> {
  if (command === "build") {
    await buildSite(resolve(directory ?? "docs/.vitepress/dist"));
    return 0;
  }
  if (command !== "serve") {
    console.error(`Unknown command ${command}: use npm run docs, or npm run docs -- build`);
    return 1;
  }
  generatePages();
  const server = await createServer("docs");
  await server.listen();
  server.printUrls();
  return 0;
}
