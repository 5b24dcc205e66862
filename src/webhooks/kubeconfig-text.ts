import { ConfigurationError } from "../apimachinery/errors/configuration-error.ts";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { pemBlocks } from "../apimachinery/pem.ts";
import type { KubeconfigFile } from "./webhook-target.ts";

/** Reads the fields of a kubeconfig that hold secrets or name files. Its errors name the line. */
export class KubeconfigText {
  readonly #file: KubeconfigFile;
  readonly #title: string;

  constructor(file: KubeconfigFile, title: string) {
    this.#file = file;
    this.#title = title;
  }

  /** An error about the line with this key and value, or with this key if the value is empty. */
  error(problem: string, key: string, value: string): ConfigurationError {
    const lines = this.#file.text.split("\n");
    const isMeant = (line: string) => line.includes(key) && line.includes(value);
    const at = Math.max(0, lines.findIndex(isMeant));
    return new ConfigurationError(`${this.#title}: line ${at + 1}: invalid configuration: ${problem}`);
  }

  /** The PEM of a field such as `client-key`, or of the field with `-data`, which wins; undefined without both. @throws {ConfigurationError} */
  pem(object: JsonObject, key: string, role: string): string | undefined {
    const pem = this.#contentOf(object, key, role);
    if (pem === undefined) return undefined;
    if (pemBlocks(pem).length > 0) return pem;
    const given = textAt(object, `${key}-data`) === "" ? key : `${key}-data`;
    throw this.error(`${key}: no PEM block found`, given, "");
  }

  /** The token of a user, or that of its file, which wins. @throws {ConfigurationError} */
  token(user: JsonObject, name: string): string {
    const path = textAt(user, "tokenFile");
    if (path === "") return textAt(user, "token");
    return this.#read(path, "tokenFile", `token file %v for ${name}`).trim();
  }

  #contentOf(object: JsonObject, key: string, role: string): string | undefined {
    const data = textAt(object, `${key}-data`);
    if (data !== "") return this.#decoded(data, `${key}-data`);
    const path = textAt(object, key);
    return path === "" ? undefined : this.#read(path, key, role);
  }

  #read(path: string, key: string, role: string): string {
    try {
      return this.#file.readFile(path);
    } catch (error) {
      const reason = messageOf(error);
      throw this.error(`unable to read ${role.replace("%v", path)} due to ${reason}`, key, path);
    }
  }

  #decoded(base64: string, key: string): string {
    try {
      return atob(base64);
    } catch {
      throw this.error(`${key}: illegal base64 data`, key, "");
    }
  }
}
