import { Agent, WebSocket } from "undici-7";
import { describe, expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { serve } from "../../src/transports/node/serve.ts";

const hook = "commands.example.com";
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: {
    containers: [
      { name: "c", image: "i" },
      { name: "d", image: "i" },
    ],
  },
};

const rule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CONNECT"],
  resources: ["pods/exec", "pods/attach"],
};

const webhook = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingWebhookConfiguration",
  metadata: { name: "commands" },
  webhooks: [
    {
      name: hook,
      clientConfig: { url: "https://hooks.example.com/" },
      rules: [rule],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ],
};

const policy = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicy",
  metadata: { name: "commands" },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    reinvocationPolicy: "Never",
    mutations: [
      {
        patchType: "JSONPatch",
        jsonPatch: {
          expression:
            '[JSONPatch{op: "replace", path: "/command/0", value: "audit"}, JSONPatch{op: "replace", path: "/container", value: "d"}]',
        },
      },
    ],
  },
};

const binding = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicyBinding",
  metadata: { name: "commands" },
  spec: { policyName: "commands" },
};

/** The command and the container that a command over a WebSocket gets. */
async function executed(objects: readonly object[], path: string): Promise<readonly unknown[]> {
  await using cluster = createCluster({ release: "1.36", controllers: [], objects: [pod, ...objects] });
  cluster.webhook(hook, () => ({
    allowed: true,
    patch: [
      { op: "replace", path: "/command", value: ["audit", "ls"] },
      { op: "replace", path: "/container", value: "d" },
    ],
  }));
  const calls: unknown[] = [];
  cluster.pod("web").onExec(({ command, container }) => {
    calls.push([command, container]);
    return 0;
  });
  const server = await serve(cluster, { tls: false });
  const agent = new Agent();
  const url = `${server.url.replace(/^http/, "ws")}/api/v1/namespaces/default/pods/web/${path}`;
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  const socket = new WebSocket(url, { protocols: ["v5.channel.k8s.io"], headers, dispatcher: agent });
  await new Promise((resolve) => socket.addEventListener("close", resolve));
  await agent.close();
  await server.close();
  return calls;
}

describe("the options of a command are those that admission leaves", () => {
  const path = "exec?command=ls&container=c&stdout=1";

  test.each<[string, readonly object[], readonly unknown[]]>([
    ["unchanged", [], [["ls"], "c"]],
    ["changed by a webhook", [webhook], [["audit", "ls"], "d"]],
    ["changed by a policy", [policy, binding], [["audit"], "d"]],
  ])("%s", async (_title, objects, call) => {
    expect(await executed(objects, path)).toEqual([call]);
  });
});
