import { expect, test } from "vitest";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { Pipe } from "./pipe.ts";
import { portForwarder } from "./port-forward.ts";

const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", uid: "u" } };

/** What a client that has been connected before learns of a new connection to a port. */
async function problemOf(now: KubeObject | undefined): Promise<string | undefined> {
  const followed = { pod: () => now, onChange: () => () => {} };
  const { signal } = new AbortController();
  const forward = portForwarder(pod, followed, () => async () => {});
  return forward({ port: 80, received: new Pipe(), write: async () => {}, signal });
}

// The words of containerd, internal/cri/server/sandbox_portforward_linux.go.
test.each<[string, KubeObject | undefined, string | undefined]>([
  ["runs", pod, undefined],
  ["is gone", undefined, 'failed to find sandbox "u" in store: not found'],
  ["has ended", { ...pod, status: { phase: "Succeeded" } }, 'network namespace for sandbox "u" is closed'],
])("a connection to a port of a pod that %s", async (_title, now, problem) => {
  expect(await problemOf(now)).toBe(problem && `error forwarding port 80 to pod u, uid : ${problem}`);
});
