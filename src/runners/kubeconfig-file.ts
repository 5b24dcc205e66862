import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A kubeconfig in a directory of its own, that nobody else may read. */
export class KubeconfigFile {
  readonly #directory: string = mkdtempSync(join(tmpdir(), "kubedouble-"));
  readonly path: string = join(this.#directory, "kubeconfig");

  constructor(text: string) {
    writeFileSync(this.path, text, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
