import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCluster, VirtualClock } from "../../src/index.ts";
import { Bindings } from "./replay/bindings.ts";
import { corrected } from "./replay/corrections.ts";
import { parseTranscript } from "./replay/exchange.ts";
import { outcomesOf, ReplayServer, replayOptions } from "./replay/replay.ts";

const bad = "object.data.a != 'bad'";
const validations = [{ expression: bad }];
const missing = [{ expression: "object.data.nope == 'x'" }];
const paramRef = { name: "none", namespace: "default", parameterNotFoundAction: "Deny" };

/** What the notes of the recording say about the policy and its binding. */
const configurations: { readonly [note: string]: { readonly policy?: object; readonly binding?: object } } = {
  message: { policy: { validations: [{ expression: bad, message: "custom msg", reason: "Forbidden" }] } },
  "reason too large": { policy: { validations: [{ expression: bad, reason: "RequestEntityTooLarge" }] } },
  warn: { binding: { validationActions: ["Warn"] } },
  audit: { binding: { validationActions: ["Audit", "Warn"] } },
  "runtime error": { policy: { validations: missing } },
  "runtime error Ignore": { policy: { validations: missing, failurePolicy: "Ignore" } },
  variables: {
    policy: {
      variables: [{ name: "v", expression: "object.data.a" }],
      validations: [{ expression: "variables.v != 'bad'" }],
    },
  },
  "two validations": {
    policy: {
      validations: [
        { expression: bad, message: "m1" },
        { expression: bad, message: "m2" },
      ],
    },
  },
  "paramKind missing crd": {
    policy: { paramKind: { apiVersion: "rules.io/v1", kind: "Rule" } },
    binding: { paramRef },
  },
  "param not found": {
    policy: { paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
    binding: { paramRef },
  },
  "matchConditions false": { policy: { matchConditions: [{ name: "c", expression: "false" }] } },
  "namespaceObject/authorizer/request": {
    policy: {
      validations: [
        {
          expression:
            "namespaceObject.metadata.name == 'default' && authorizer.group('').resource('pods').check('get').allowed() && request.operation == 'CREATE' && request.userInfo.username == 'nobody'",
        },
      ],
    },
  },
  "type warn": { policy: { validations: [{ expression: "object.data.a.foo == 'x'" }] } },
};

/** The first exchange that concerns policies; webhooks come before. */
const first = 42;

test("policies decide as those of a real 1.32", async () => {
  const text = readFileSync(new URL("./data/admission.jsonl", import.meta.url), "utf8");
  const exchanges = parseTranscript(text, "admission")
    .map(corrected)
    .filter(({ n }) => n >= first);
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 14, 25, 34));
  const server = new ReplayServer(createCluster(replayOptions(clock)), clock);
  const group = "/apis/admissionregistration.k8s.io/v1";
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status } = await server.ask({ method, path: `${group}/${path}`, as: "admin", body });
    expect([200, 201]).toContain(status);
  };
  const configure = async ({ policy, binding }: { policy?: object; binding?: object }) => {
    await ask("DELETE", "validatingadmissionpolicies/p");
    await ask("DELETE", "validatingadmissionpolicybindings/b");
    const resourceRules = [
      { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
    ];
    await ask("POST", "validatingadmissionpolicies", {
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules }, validations, ...policy },
    });
    const spec = { policyName: "p", validationActions: ["Deny"], ...binding };
    await ask("POST", "validatingadmissionpolicybindings", { metadata: { name: "b" }, spec });
  };
  const differences: string[] = [];
  const bindings = new Bindings();
  for (const exchange of exchanges) {
    const prepared = configurations[exchange.note];
    if (prepared !== undefined) await configure(prepared);
    for await (const outcome of outcomesOf([exchange], [], server, bindings)) {
      for (const { path, recorded, actual } of outcome.differences) {
        const shown = [recorded, actual].map((value) => JSON.stringify(value)?.slice(0, 700));
        differences.push(`${exchange.n} ${exchange.note}: ${path}: recorded ${shown[0]}, actual ${shown[1]}`);
      }
    }
  }
  expect(exchanges).toHaveLength(20);
  expect(differences).toEqual([]);
});
