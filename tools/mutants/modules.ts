import { readdirSync } from "node:fs";

/** A part of the sources that everything hangs on. */
export interface Module {
  readonly name: string;
  /** The paths of its sources from the root of the project. */
  readonly files: readonly string[];
}

/** A file belongs to the first folder that contains it. */
const folders = [
  "src/store",
  "src/patch/apply",
  "src/patch",
  "src/registry/generic",
  "src/controllers/garbage-collector",
  "src/controllers",
  "src/authorization",
  "src/endpoints/requests",
];

export function modules(): readonly Module[] {
  return folders.map((folder, index) => {
    const isElsewhere = (file: string) =>
      folders.slice(0, index).some((earlier) => file.startsWith(`${earlier}/`));
    return {
      name: folder.slice("src/".length),
      files: sourcesOf(folder).filter((file) => !isElsewhere(file)),
    };
  });
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
    .sort();
}
