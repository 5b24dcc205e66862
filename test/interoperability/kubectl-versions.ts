import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** A kubectl that is installed. */
export interface InstalledKubectl {
  readonly path: string;
  /** Its minor release. */
  readonly minor: number;
}

const [oldest, newest] = [27, 33];

/** The kubectls from 1.27 to 1.33 that are installed, by release: `kubectl.1.27` on PATH, or beside the kubectl on PATH. */
export function installedKubectls(): readonly InstalledKubectl[] {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  const kubectl = places.map((place) => join(place, "kubectl")).find(existsSync);
  const directories = kubectl === undefined ? places : [...places, dirname(realpathSync(kubectl))];
  const found: InstalledKubectl[] = [];
  for (let minor = oldest; minor <= newest; minor++) {
    const paths = directories.map((directory) => join(directory, `kubectl.1.${minor}`));
    const path = paths.find((one) => spawnSync(one, ["version", "--client"]).status === 0);
    if (path === undefined) console.log(`skipped: there is no kubectl.1.${minor}`);
    else found.push({ path, minor });
  }
  return found;
}
