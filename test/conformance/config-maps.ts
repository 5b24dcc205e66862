import type { QuietServer } from "./quiet-server.ts";

/** The fields of a list that the tests of reads check. */
export interface ListAnswer {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  }[];
}

/** The config maps of a namespace that a test has created. */
export class ConfigMaps {
  readonly path: string;
  readonly #server: QuietServer;
  readonly #namespace: string;

  constructor(server: QuietServer, namespace: string) {
    this.path = `/api/v1/namespaces/${namespace}/configmaps`;
    this.#server = server;
    this.#namespace = namespace;
  }

  /** Creates the namespace, and config maps in it. */
  async begin(...names: readonly string[]): Promise<void> {
    await this.#server.cluster.create({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: this.#namespace },
    });
    for (const name of names) await this.create(name);
  }

  /** Resolves to the revision of the write, like the other methods. */
  async create(name: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
    return revisionOf(await this.#server.cluster.create(this.#object(name, labels)));
  }

  async update(
    name: string,
    labels: Readonly<Record<string, string>> = {},
    data = "changed",
  ): Promise<string> {
    return revisionOf(await this.#server.cluster.update({ ...this.#object(name, labels), data: { data } }));
  }

  async delete(name: string): Promise<string> {
    await this.#server.cluster.delete("v1", "ConfigMap", name, { namespace: this.#namespace });
    return this.#server.revision();
  }

  async list(query = ""): Promise<ListAnswer> {
    const { text } = await this.#server.ask({ method: "GET", target: `${this.path}?${query}` });
    return JSON.parse(text);
  }

  #object(name: string, labels: Readonly<Record<string, string>>) {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: this.#namespace, labels } };
  }
}

function revisionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): string {
  return metadata.resourceVersion ?? "";
}

/** The content of a continue token. */
export function decodeToken(token: string | undefined): { readonly rv: number; readonly start: string } {
  const { rv, start } = JSON.parse(Buffer.from(token ?? "", "base64url").toString());
  return { rv, start };
}

/** A continue token as another server or an attacker could create it. */
export function encodeToken(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}
