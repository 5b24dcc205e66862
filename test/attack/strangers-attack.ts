import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest } from "../../src/request/plain-request.ts";
import { discardBody } from "../../src/request/response-stream.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import type { RawRequest } from "../conformance/quiet-server.ts";
import type { Random } from "../conformance/random.ts";
import { RandomRequests } from "../conformance/random-requests.ts";
import { RawConnection } from "../transports/raw-connection.ts";
import type { Attack } from "./attack.ts";
import type { Tally } from "./tally.ts";

const requestsInRound = 60;
/** What the ClusterRole `system:public-info-viewer` lets anonymous users read. */
const isPublic = /^\/(healthz|livez|readyz|version\/?)(\?|$)/;

/** Requests without a credential, or with a worthless one, get only what anonymous users may see. */
export const strangers: Attack = {
  name: "requests without a credential",
  start: async (random, tally) => {
    const targets = await Promise.all([
      Target.open({ authorizationMode: "RBAC" }, isPublic),
      Target.open({}, undefined),
    ]);
    const requests = new RandomRequests(random);
    return {
      round: async () => {
        for (let count = 0; count < requestsInRound; count += 1) {
          const target = random.pick(targets);
          await target.ask(worthless(random, requests.next(), target.cluster), random, tally);
        }
        for (const target of targets) await target.check(tally);
      },
      settle: async () => {},
      close: async () => {
        for (const target of targets) await target.close();
      },
    };
  },
};

/** A cluster that may tell strangers only what is public. */
class Target {
  readonly cluster: Cluster;
  readonly #serving: Serving;
  /** `undefined` if the port tells strangers nothing. */
  readonly #open: RegExp | undefined;
  #revision = "";

  private constructor(cluster: Cluster, serving: Serving, open: RegExp | undefined) {
    this.cluster = cluster;
    this.#serving = serving;
    this.#open = open;
  }

  static async open(options: ClusterOptions, isOpen: RegExp | undefined): Promise<Target> {
    const cluster = createCluster({ controllers: [], ...options });
    const target = new Target(cluster, await serve(cluster, { tls: false }), isOpen);
    target.#revision = await target.#currentRevision();
    return target;
  }

  async ask(request: RawRequest, random: Random, tally: Tally): Promise<void> {
    // In process, AlwaysAllow lets anonymous users do everything, as in kube-apiserver.
    const isOnPort = this.#open === undefined || random.chance(50);
    const started = performance.now();
    const status = isOnPort ? await this.#askPort(request) : await this.#askHandler(request);
    const { method, target, headers } = request;
    const shown = `${method} ${target} ${JSON.stringify(headers)}`;
    tally.count(status, performance.now() - started, shown);
    if (status === undefined || status >= 300) return;
    const path = target.replace(/^https?:\/\/[^/]*/, "");
    // Methods are verbs in lower case, so `get` reads as well (apiserver, pkg/endpoints/request/requestinfo.go).
    const mayRead = /^(?:get|head)$/i.test(method) && this.#open?.test(path);
    if (!mayRead) tally.found("way in", `${status} for ${shown}`);
  }

  /** Strangers have changed nothing. */
  async check(tally: Tally): Promise<void> {
    const now = await this.#currentRevision();
    if (now !== this.#revision) tally.found("way in", `the store went from ${this.#revision} to ${now}`);
    this.#revision = now;
  }

  async close(): Promise<void> {
    await this.#serving.close();
    await this.cluster.close();
  }

  async #currentRevision(): Promise<string> {
    const { metadata } = await this.cluster.list("v1", "Namespace");
    return String(metadata["resourceVersion"]);
  }

  async #askHandler({ method, target, headers = {}, body = "" }: RawRequest): Promise<number> {
    const all = new Map(Object.entries(headers));
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const request = plainRequest({ method, target, headers: all, body: bytes });
    const answer = await this.cluster.handler(request, inProcessPeer);
    discardBody(answer.body);
    return answer.status;
  }

  async #askPort({ method, target, headers = {}, body = "" }: RawRequest): Promise<number | undefined> {
    const connection = await RawConnection.open(this.#serving.port);
    const content = Buffer.from(body);
    const lines = [
      `${method} ${target} HTTP/1.1`,
      "Host: localhost",
      `Content-Length: ${content.length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    connection.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), content]));
    const waited = new Promise<void>((resolve) => setTimeout(resolve, 1000));
    await Promise.race([connection.until(/^HTTP\/1\.1 \d{3}/), waited]);
    connection.socket.destroy();
    const found = /^HTTP\/1\.1 (\d{3})/.exec(connection.received)?.[1];
    return found === undefined ? undefined : Number(found);
  }
}

const controlPaths = [
  "",
  "/faults",
  "/requests",
  "/snapshots",
  "/forks",
  "/clock",
  "/openapi.json",
  "/state",
];

/** The request with no credential, or with one that proves nothing. */
function worthless(random: Random, request: RawRequest, cluster: Cluster): RawRequest {
  const { authorization: _, ...headers } = request.headers ?? {};
  const isControl = random.chance(10);
  const target = isControl ? `/kubedouble/v1${random.pick(controlPaths)}` : request.target;
  const extra = random.chance(60) ? credential(random, cluster) : {};
  return { ...request, target, headers: { ...headers, ...extra } };
}

function credential(random: Random, cluster: Cluster): Readonly<Record<string, string>> {
  const token = cluster.adminToken();
  switch (random.below(10)) {
    case 0:
      return { authorization: `Bearer ${token.slice(0, -1)}` };
    case 1:
      return { authorization: `Bearer ${changed(random, token)}` };
    case 2:
      return { authorization: `Basic ${btoa("admin:admin")}` };
    case 3:
      return {
        authorization: `Bearer ${jwt({ alg: "none" }, { sub: "system:serviceaccount:kube-system:default" })}.`,
      };
    case 4:
      return { "impersonate-user": "kubernetes-admin", "impersonate-group": "system:masters" };
    case 5:
      return { "x-remote-user": "kubernetes-admin", "x-remote-group": "system:masters" };
    case 6:
      return {
        authorization: random.pick([
          "Bearer",
          "Bearer ",
          "bearer  ",
          "Bearer __proto__",
          "Bearer constructor",
          "Bearer undefined",
        ]),
      };
    case 7:
      return {
        "sec-websocket-protocol": `base64url.bearer.authorization.k8s.io.${btoa("x")}, v4.channel.k8s.io`,
      };
    case 8:
      return {
        authorization: `Bearer ${jwt({ alg: "HS256" }, { iss: "https://kubernetes.default.svc", sub: "x" })}.${btoa("x")}`,
      };
    default:
      return {
        authorization: `Bearer ${token}${random.pick(["x", ",", "="])}`,
        cookie: `token=${token}`,
      };
  }
}

/** The token with one character changed. */
function changed(random: Random, token: string): string {
  const at = random.below(token.length);
  const other = token[at] === "A" ? "B" : "A";
  return token.slice(0, at) + other + token.slice(at + 1);
}

function jwt(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
}
