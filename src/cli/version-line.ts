import manifest from "../../package.json?raw";

/** The output of `--version`. */
export function versionLine(): string {
  const { version }: { version: string } = JSON.parse(manifest);
  return `kubedouble ${version}`;
}
