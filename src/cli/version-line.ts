import manifest from "../../package.json?raw";

/** What `--version` prints. */
export function versionLine(): string {
  const { version }: { version: string } = JSON.parse(manifest);
  return `kubedouble ${version}`;
}
