import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

/** What a test reads of an answer. */
export interface Asked {
  readonly code: number;
  /** The causes of a refusal as `field: message`; the message of one that has no causes. */
  readonly findings: readonly string[];
  readonly warnings: readonly string[];
  // A test reads any field of any kind.
  // biome-ignore lint/suspicious/noExplicitAny: the point of it
  readonly object: any;
}

export type Ask = (method: string, path: string, body?: object) => Promise<Asked>;

/** A cluster of its own, without controllers. */
export function quietCluster(options: ClusterOptions = {}): Cluster {
  return createCluster({ controllers: [], ...options });
}

/** Asks in process, as a master unless the groups say otherwise; PATCH is a merge patch. */
export function asking(cluster: Cluster, name = "tester", groups = ["system:masters"]): Ask {
  const authorization = `Bearer ${cluster.token(name, { groups })}`;
  return async (method, path, body) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const response = await cluster.fetch(`https://cluster.test${path}`, {
      method,
      headers: { authorization, "content-type": type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const object: Asked["object"] = await response.json();
    const warning = response.headers.get("warning") ?? "";
    return {
      code: response.status,
      object,
      findings: response.ok ? [] : findingsOf(object),
      warnings: [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
        text.replace(/\\(.)/g, "$1"),
      ),
    };
  };
}

interface RefusalStatus {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

function findingsOf({ message, details }: RefusalStatus): readonly string[] {
  const causes = details?.causes?.filter(({ field }) => field !== undefined) ?? [];
  return causes.length === 0 ? [message] : causes.map((cause) => `${cause.field}: ${cause.message}`);
}
