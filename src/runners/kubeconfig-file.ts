import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A kubeconfig in its own directory, readable only by its owner. */
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
