import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCluster, VirtualClock } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { startWebhook, type WebhookServer } from "../webhooks/webhook-server.ts";
import { Bindings } from "./replay/bindings.ts";
import { corrected } from "./replay/corrections.ts";
import { type Exchange, parseTranscript } from "./replay/exchange.ts";
import { beginOf, outcomesOf, ReplayServer, replayOptions } from "./replay/replay.ts";

let webhook: WebhookServer;
const clock = new VirtualClock(Date.UTC(2026, 10, 20, 14, 24, 43));
beforeAll(async () => {
  webhook = await startWebhook();
  webhook.answer = ({ path = "", text }, response) => {
    const { request } = JSON.parse(text);
    const [name = ""] = path.split("?");
    const answer = answers[name];
    if (name === "/slow") void clock.advance(1000);
    else if (typeof answer === "number") response.writeHead(answer).end();
    else if (typeof answer === "string") response.end(answer);
    else response.end(JSON.stringify({ kind: "AdmissionReview", ...answer?.(request.uid) }));
  };
});
afterAll(() => webhook.close());

const v1 = { apiVersion: "admission.k8s.io/v1" };
const responding = (response: object) => (uid: string) => ({ ...v1, response: { uid, ...response } });
const patching = (patch: readonly object[], more: object = { patchType: "JSONPatch" }) =>
  responding({ allowed: true, patch: btoa(JSON.stringify(patch)), ...more });
const label = { op: "add", path: "/metadata/labels", value: { wh: "1" } };

/** What the recorded webhook answered at each path: a review, a status, or a text. */
const answers: { readonly [path: string]: ((uid: string) => object) | number | string } = {
  "/ok": responding({ allowed: true }),
  "/deny": responding({ allowed: false, status: { code: 418, message: "no way", reason: "Custom" } }),
  "/denynomsg": responding({ allowed: false }),
  "/denyreason": responding({ allowed: false, status: { reason: "Because" } }),
  "/denyok": responding({ allowed: false, status: { code: 200, message: "m" } }),
  "/baduid": () => ({ ...v1, response: { uid: "x", allowed: true } }),
  "/badversion": (uid) => ({ apiVersion: "admission.k8s.io/v1beta1", response: { uid, allowed: true } }),
  "/absent": () => v1,
  "/500": 500,
  "/404": 404,
  "/nojson": '"not a review"',
  "/label": patching([label]),
  "/patchnotype": patching([label], {}),
  "/badtype": patching([], { patchType: "Zed" }),
  "/badpatch": patching([{ op: "remove", path: "/nope/x" }]),
  "/badfield": patching([{ op: "replace", path: "/data", value: "text" }]),
  "/warn": responding({ allowed: true, warnings: ["w1", 'w2 "quoted"', "x".repeat(300)] }),
};

interface Prepared {
  readonly kind: "validating" | "mutating";
  readonly hooks: readonly (readonly [name: string, path: string, more?: object | "another authority"])[];
}

const dead = { clientConfig: { url: "https://127.0.0.1:1/x" } };
const failing = (policy: string) => ({
  failurePolicy: policy,
  matchConditions: [{ name: "c", expression: "object.spec.foo == 'zzz'" }],
});

/** The configurations that the notes of the recording name, besides those that name only a path. */
const configurations: { readonly [note: string]: Prepared } = {
  "validating unreachable": { kind: "validating", hooks: [["w.x.io", "/x", dead]] },
  "validating timeout": { kind: "validating", hooks: [["w.x.io", "/slow", { timeoutSeconds: 1 }]] },
  "validating bad ca": { kind: "validating", hooks: [["w.x.io", "/deny", "another authority"]] },
  "validating service missing": {
    kind: "validating",
    hooks: [["w.x.io", "/", { clientConfig: { service: { namespace: "default", name: "nosvc" } } }]],
  },
  "fail open": { kind: "validating", hooks: [["w.x.io", "/x", { ...dead, failurePolicy: "Ignore" }]] },
  "fail open bad response": {
    kind: "validating",
    hooks: [["w.x.io", "/baduid", { failurePolicy: "Ignore" }]],
  },
  warnings: { kind: "validating", hooks: [["w.x.io", "/warn"]] },
  "dryrun sideeffects": { kind: "validating", hooks: [["w.x.io", "/warn"]] },
  "matchConditions false": {
    kind: "validating",
    hooks: [["w.x.io", "/deny", { matchConditions: [{ name: "c", expression: "false" }] }]],
  },
  "matchConditions error Fail": { kind: "validating", hooks: [["w.x.io", "/deny", failing("Fail")]] },
  "matchConditions error Ignore": { kind: "validating", hooks: [["w.x.io", "/deny", failing("Ignore")]] },
  "two validating deny": {
    kind: "validating",
    hooks: [
      ["a.x.io", "/deny"],
      ["b.x.io", "/deny"],
    ],
  },
  reinvocation: {
    kind: "mutating",
    hooks: [
      ["a.x.io", "/ok", { reinvocationPolicy: "IfNeeded" }],
      ["b.x.io", "/label"],
    ],
  },
};

/** The last exchange that concerns webhooks; policies follow. */
const lastOfWebhooks = 41;

function preparedFor({ n, note }: Exchange): Prepared | undefined {
  if (n === 1 || n > 37) return undefined;
  const known = configurations[note];
  if (known !== undefined) return known;
  const [, kind, path = ""] = /^(validating|mutating) (\/\w+)$/.exec(note) ?? [];
  if (kind === "validating") return { kind, hooks: [["w.x.io", path]] };
  return kind === "mutating" ? { kind, hooks: [["m.x.io", path]] } : { kind: "mutating", hooks: [] };
}

test("webhooks decide as those of a real 1.32", async () => {
  const bundle = btoa(webhook.authority.certificate);
  const rogue = btoa(createAuthority().certificate);
  const text = readFileSync(new URL("./data/admission.jsonl", import.meta.url), "utf8")
    .replaceAll("<base64-pem>", bundle)
    .replaceAll("https://127.0.0.1:18443", webhook.url);
  const exchanges = parseTranscript(text, "admission").map(corrected).slice(0, lastOfWebhooks);
  const server = new ReplayServer(createCluster(replayOptions(clock)), clock);
  const bindings = new Bindings();
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status } = await server.ask({ method, path, as: "admin", body });
    expect([200, 201, 404]).toContain(status);
  };
  const group = "/apis/admissionregistration.k8s.io/v1";
  const configure = async ({ kind, hooks }: Prepared) => {
    for (const other of ["validating", "mutating"]) {
      await ask("DELETE", `${group}/${other}webhookconfigurations/${other}`);
    }
    await ask("DELETE", `${group}/validatingwebhookconfigurations/v`);
    const webhooks = hooks.map(([name, path, more = {}]) => ({
      name,
      clientConfig: { url: webhook.url + path, caBundle: bundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...(more === "another authority"
        ? { clientConfig: { url: webhook.url + path, caBundle: rogue } }
        : more),
    }));
    await ask("POST", `${group}/${kind}webhookconfigurations`, { metadata: { name: kind }, webhooks });
  };
  const differences: string[] = [];
  expect(beginOf(exchanges)).toBeGreaterThan(0);
  for (const exchange of exchanges) {
    const prepared = preparedFor(exchange);
    if (prepared !== undefined) await configure(prepared);
    for await (const outcome of outcomesOf([exchange], [], server, bindings)) {
      for (const { path, recorded, actual } of outcome.differences) {
        const shown = [recorded, actual].map((value) => JSON.stringify(value)?.slice(0, 700));
        differences.push(`${exchange.n} ${exchange.note}: ${path}: recorded ${shown[0]}, actual ${shown[1]}`);
      }
    }
  }
  expect(differences).toEqual([]);
});
