import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

/** The fields of a response that tests read. */
export interface TestResponse {
  readonly code: number;
  /** The causes of an error as `field: message`, or its message if it has no causes. */
  readonly findings: readonly string[];
  readonly warnings: readonly string[];
  // A test reads any field of any kind.
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  readonly object: any;
}

export type SendRequest = (method: string, path: string, body?: object) => Promise<TestResponse>;

/** A new cluster without controllers. */
export function quietCluster(options: ClusterOptions = {}): Cluster {
  return createCluster({ controllers: [], ...options });
}

/** Sends requests in process, by default as system:masters; PATCH is a merge patch. */
export function testClient(cluster: Cluster, name = "tester", groups = ["system:masters"]): SendRequest {
  const authorization = `Bearer ${cluster.token(name, { groups })}`;
  return async (method, path, body) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const response = await cluster.fetch(`https://cluster.test${path}`, {
      method,
      headers: { authorization, "content-type": type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const object: TestResponse["object"] = await response.json();
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
