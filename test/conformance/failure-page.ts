import { failures, transports } from "./failure-table.ts";

const introduction = `# Failures on demand

What breaks clients of Kubernetes, in one line each, from \`kubedouble/scenarios\`:

\`\`\`ts
using fault = cluster.inject(watchGone({ resource: "pods", afterEvents: 3 }));
await fault.hit();          // resolves when it has struck
cluster.faults.inForce;     // what can still strike
cluster.faults.check();     // throws if one never struck, and shows the nearest request

await whileDisconnected(cluster, () => cluster.delete("v1", "Pod", "web"), { compact: true });

cluster.inject(down({ lasting: "5s" }));
cluster.restore(backup, { watches: "keep" });   // the revision goes backwards, and watches do not notice
\`\`\`

| Option of every failure | Says | Default |
| --- | --- | --- |
| \`verb\`, \`group\`, \`resource\`, \`subresource\`, \`namespace\`, \`name\`, \`path\`, \`user\`, \`userAgent\` | whom it strikes | what the failure is about: reads, writes, watches |
| \`nth\` | the first of these requests that is struck | 1 |
| \`times\` | how often it strikes before it is over | 1, so that the way back is tested as well; for \`down\`, \`disconnected\`, \`laggingReplica\` and \`tokenExpired\` as long as they are in force |
| \`lasting\` | how long it is in force at most, by the cluster's clock | without end |

Failures strike clients, never the cluster's own methods. \`fault.remove()\`, or the end of a \`using\` block, takes one back.
Those of watches strike every format: JSON, Tables, metadata alone, protobuf and CBOR.

## Which failure is faithful where

Each cell is checked by a test that lets a client meet the failure through that transport, and holds what it sees to what a client
of kube-apiserver would. \`yes\`: a client cannot tell. \`header\`: it can, as no connection closes behind the header.
`;

/** The page about failures, of which the table is made of what the tests run. */
export function failurePage(): string {
  const head = ["Failure", "What", ...transports];
  const rows = Object.entries(failures).map(([name, { what, cells }]) => [
    `\`${name}\``,
    what,
    ...transports.map((transport) => cells?.[transport] ?? "yes"),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${introduction}\n${lines.join("\n")}\n`;
}
