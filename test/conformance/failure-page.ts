import { transports } from "./failure.ts";
import { failures } from "./failure-table.ts";

const introduction = `# Failures on demand

The failures that break Kubernetes clients, in one line each, from \`kubedouble/scenarios\`:

\`\`\`ts
import { down, watchGone, whileDisconnected } from "kubedouble/scenarios";

using fault = cluster.inject(watchGone({ resource: "pods", afterEvents: 3 }));
// JavaScript on Node 20 has no \`using\`: write \`const fault\`, and \`fault.remove()\` at the end.
await fault.hit(); // resolves when a client has felt the failure
fault.unaffected; // requests in its scope that it could not affect, and why
cluster.faults.inForce; // the faults that are still active
cluster.faults.check(); // throws if a fault was never used, and says what the requests would have needed

await whileDisconnected(cluster, () => cluster.delete("v1", "Pod", "web"), { compact: true });

cluster.inject(down({ lasting: "5s" }));
cluster.restore(backup, { watches: "keep" }); // the revision goes back, and open watches do not notice
\`\`\`

| Option of every failure | Meaning | Default |
| --- | --- | --- |
| \`verb\`, \`group\`, \`resource\`, \`subresource\`, \`namespace\`, \`name\`, \`path\`, \`user\`, \`userAgent\` | the requests that it hits | the requests that the failure is about: reads, writes, watches |
| \`nth\` | the first of the requests that it can affect | 1 |
| \`times\` | the number of requests that it hits before it ends | 1, so that tests cover the recovery; unlimited for \`down\`, \`disconnected\`, \`laggingReplica\`, \`tokenExpired\` and failures of the cluster itself |
| \`lasting\` | the maximum time that it is active, by the cluster's clock | unlimited |

A hit is a request whose client has felt the failure: the refusal was sent, the event was handed over, the connection broke. A
request in its scope that it cannot affect, such as a patch without a resourceVersion for \`conflict\` or a watch with two events
for \`watchGone({ afterEvents: 3 })\`, is a near miss: it does not count, the request log does not name the failure, and
\`check()\` says what it would have needed. Misspelt options, wrong values and verbs that a failure cannot affect are errors in
JavaScript as well.

Failures hit requests of clients, never the cluster's own methods. \`fault.remove()\`, or the end of a \`using\` block, removes a
failure. Watch failures work in every format: JSON, Tables, metadata only, protobuf and CBOR. There is
[a runnable example for each failure](failure-examples.md).

## Failures of the cluster itself

These strike no requests: they let a part of [a simulated cluster](simulation.md) fail, and are an error without that part. They are
real objects and states: controllers, admission, evictions and Leases act on them by the cluster's clock, until the failure is removed.
A hit is what a client can see: a refused request, an Event, a renewed Lease. Their only common option is \`lasting\`.

\`\`\`ts
import { drainBlocked, imageUnavailable, nodeClockSkew, nodeDown, podWebhookDown, quotaUsedUp } from "kubedouble/scenarios";

cluster.inject(nodeDown({ node: "node-1" })); // NotReady after 50 seconds, evictions after another 5 minutes
cluster.inject(drainBlocked({ namespace: "shop", labels: { app: "web" } })); // a PodDisruptionBudget drain-blocked
cluster.inject(quotaUsedUp({ namespace: "shop" })); // a ResourceQuota quota-used-up for the pods that there are
cluster.inject(podWebhookDown({ labels: { app: "web" } })); // a ValidatingWebhookConfiguration without a server
cluster.inject(imageUnavailable({ image: /nginx/, message: "no such host" })); // ErrImagePull, ImagePullBackOff
cluster.inject(nodeClockSkew({ node: "node-1", by: "-10m" })); // the Lease is renewed with such times
\`\`\`

## Fidelity by transport

A test checks each cell: a client encounters the failure through that transport and must see what a client of kube-apiserver
would see. \`yes\`: a client cannot tell the difference. \`header\`: it can, because no connection closes after the header.
\`no upgrades\`: connections cannot change protocols there, so requests are near misses. HTTPS counts as HTTP/1.1 for clients that
ask for an upgrade, which HTTP/2 does not have.
`;

/** The page about failures. Its table is generated from what the tests run. */
export function failurePage(): string {
  const head = ["Failure", "What", ...transports];
  const byName = Object.entries(failures).sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = byName.map(([name, { what, cells }]) => [
    `\`${name}\``,
    what,
    ...transports.map((transport) => cells?.[transport] ?? "yes"),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${introduction}\n${lines.join("\n")}\n`;
}
