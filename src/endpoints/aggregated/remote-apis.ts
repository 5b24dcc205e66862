import { type Clock, turn } from "../../apimachinery/clock.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion, type GroupVersion } from "../../apimachinery/group-version.ts";
import { answerPatience, letTimeGoOn } from "../../apimachinery/held-time.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { Address } from "../../webhooks/address.ts";
import type { OutgoingTargets } from "../../webhooks/outgoing-targets.ts";
import { type Locations, serviceAddress } from "../../webhooks/service-address.ts";
import { WebhookError } from "../../webhooks/webhook-error.ts";
import { httpsServer, type ProxyCertificate } from "./https-server.ts";
import { userHeaders } from "./proxied-headers.ts";
import {
  isRemote,
  type RegisteredVersion,
  type RemotePlace,
  type RemoteVersion,
  registeredVersion,
  type ServicePlace,
} from "./registered-version.ts";
import {
  aggregatedType,
  type DiscoveredResources,
  documentOf,
  isAggregated,
  resourcesOfAggregated,
  resourcesOfList,
} from "./remote-discovery.ts";
import { functionServer, type RemoteResponse, type RemoteServer } from "./remote-server.ts";

/** What the access to other servers depends on. */
export interface RemoteEnvironment extends Locations {
  readonly targets: OutgoingTargets;
  readonly clock: Clock;
  /** Says whether a fault has taken the server of an APIService down. */
  readonly outages: { readonly isDown: (name: string) => boolean };
  /** Identifies this server to others; undefined for no certificate. */
  readonly certificate: ProxyCertificate | undefined;
}

const services = { group: "", resource: "services" };

/** The longest time that another server may take to answer for its discovery, in milliseconds. */
const longestCheck = 5000;

/** How many turns of the event loop a server has after that. */
const lastTurns = 10;

/** The groups and versions with an APIService, and the servers behind them. */
export class RemoteApis {
  readonly #environment: RemoteEnvironment;
  readonly #discovered = new Map<string, DiscoveredResources>();
  #byName: ReadonlyMap<string, RegisteredVersion> = new Map();
  #remotes: ReadonlyMap<string, RemoteVersion> = new Map();

  constructor(environment: RemoteEnvironment) {
    this.#environment = environment;
  }

  /** Reads the APIServices, which have changed. */
  follow(apiServices: readonly KubeObject[]): void {
    const all = apiServices.map(registeredVersion);
    this.#byName = new Map(all.map((version) => [version.name, version]));
    const remotes = all.filter(isRemote);
    this.#remotes = new Map(remotes.map((version) => [formatGroupVersion(version), version]));
    for (const name of this.#discovered.keys()) {
      if (this.#byName.get(name)?.remote === undefined) this.#discovered.delete(name);
    }
  }

  /** The groups and versions with an APIService. */
  get versions(): readonly RegisteredVersion[] {
    return [...this.#byName.values()];
  }

  /** A group and version of another server; undefined for one of this server. */
  remote(gv: GroupVersion): RemoteVersion | undefined {
    return this.#remotes.get(formatGroupVersion(gv));
  }

  /** What was last found out about the resources of a version; undefined if its server does not answer. */
  resources({ name }: RemoteVersion): DiscoveredResources | undefined {
    return this.#discovered.get(name);
  }

  /** The names of the APIServices with the Service `namespace/name`. */
  namesAt(service: string): readonly string[] {
    return this.versions.flatMap(({ name, remote }) =>
      remote !== undefined && titleOf(remote.service) === service ? [name] : [],
    );
  }

  /** Whether the owner of the cluster has said what answers for a version. Then neither its Service nor endpoints count. */
  hasTarget({ name, remote }: RemoteVersion): boolean {
    const { apiServers, addresses } = this.#environment.targets;
    return apiServers.get(name) !== undefined || addresses.get(titleOf(remote.service)) !== undefined;
  }

  /** The name and port of the server, as in URLs. Upstream: apiserver, pkg/util/proxy, ResolveCluster. @throws {Error} */
  hostOf(version: RemoteVersion): string {
    const { service } = version.remote;
    const { namespace, name, port } = service;
    if (this.hasTarget(version)) return `${name}.${namespace}.svc:${port}`;
    const found = this.#environment.lister.get(services, namespace, name);
    if (found === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
    const type = textAt(found, "spec", "type");
    if (type === "ExternalName") return `${textAt(found, "spec", "externalName")}:${port}`;
    const address = textAt(found, "spec", "clusterIP");
    if (address === "None") throw new Error('cannot route to service with ClusterIP "None"');
    return `${address.includes(":") ? `[${address}]` : address}:${port}`;
  }

  /** The server behind a version. Nothing listens on other machines: the cluster opens no connection that its owner did not name. */
  serverOf(version: RemoteVersion): RemoteServer {
    const { targets, outages, certificate } = this.#environment;
    if (outages.isDown(version.name)) return nothingListens;
    const answer = targets.apiServers.get(version.name);
    if (answer !== undefined) return functionServer((request) => answer(request, this.#environment));
    const { service, authorities, verifiesServer } = version.remote;
    const address = this.#addressOf(version.remote);
    if (address === undefined) return nothingListens;
    return httpsServer({
      address,
      serverName: `${service.name}.${service.namespace}.svc`,
      authorities,
      verifiesServer,
      certificate,
    });
  }

  #addressOf({ service }: RemotePlace): Address | undefined {
    try {
      return serviceAddress(service, this.#environment);
    } catch (error) {
      if (error instanceof WebhookError) return undefined;
      throw error;
    }
  }

  /** What fails when a server is asked for its version; undefined if it answers. Upstream: remote_available_controller.go. */
  async check(version: RemoteVersion): Promise<string | undefined> {
    const { group, version: name } = version;
    let host: string;
    try {
      host = this.hostOf(version);
    } catch (error) {
      return messageOf(error);
    }
    const url = `https://${host}${group === "" ? "/api" : `/apis/${group}`}/${name}`;
    const failed = (reason: string) => `failing or missing response from ${url}: ${reason}`;
    try {
      const { status, body } = await this.fetch(version, url, aggregatorUser);
      await discard(body);
      return status >= 200 && status < 300 ? undefined : failed(`bad status from ${url}: ${status}`);
    } catch (error) {
      return failed(`Get ${JSON.stringify(url)}: ${messageOf(error)}`);
    }
  }

  /** Asks a server for the resources of a version. Upstream: handler_discovery.go. */
  async discover(version: RemoteVersion): Promise<void> {
    this.#discovered.delete(version.name);
    const resources = await this.#fetchResources(version).catch(() => undefined);
    if (resources !== undefined) this.#discovered.set(version.name, resources);
  }

  /** Notes that a server does not answer. */
  forget(name: string): void {
    this.#discovered.delete(name);
  }

  async #fetchResources(version: RemoteVersion): Promise<DiscoveredResources | undefined> {
    const root = `https://${this.hostOf(version)}`;
    const all = await this.fetch(version, `${root}/apis`, aggregatorUser, aggregatedType);
    if (all.status === 200 && isAggregated(all)) return resourcesOfAggregated(await documentOf(all), version);
    await discard(all.body);
    if (all.status === 503) return undefined;
    const { group, version: name } = version;
    const url = `${root}${group === "" ? "/api" : `/apis/${group}`}/${name}`;
    const list = await this.fetch(version, url, { ...aggregatorUser, groups: [] });
    return list.status === 200 ? resourcesOfList(await documentOf(list)) : undefined;
  }

  /** A document of another server, which it may not have. @throws {Error} if the server cannot be reached */
  async document(version: RemoteVersion, path: string, user: UserInfo): Promise<RemoteDocument> {
    const response = await this.fetch(version, `https://${this.hostOf(version)}${path}`, user);
    const { status } = response;
    if (status === 200) return { status, document: await documentOf(response) };
    await discard(response.body);
    return { status, document: undefined };
  }

  /** A GET as a part of this server. It fails after five seconds of the cluster's clock. @throws {Error} with Go's message */
  fetch(
    version: RemoteVersion,
    url: string,
    user: UserInfo,
    accept = "application/json",
  ): Promise<RemoteResponse> {
    const stop = new AbortController();
    const request = {
      method: "GET",
      url: new URL(url),
      host: this.hostOf(version),
      headers: [["Accept", accept], ["User-Agent", "kube-apiserver"], ...userHeaders(user, false)] as const,
      body: undefined,
      connection: undefined,
      signal: stop.signal,
    };
    const { clock } = this.#environment;
    const answered = letTimeGoOn(clock, answerPatience);
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const timer = clock.after(longestCheck, async () => {
        // A jump of the clock leaves a server in this process no time, so one that is about to answer may do so.
        for (let turns = 0; turns < lastTurns && !isAnswered; turns++) await turn();
        if (isAnswered) return;
        reject(new Error("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"));
        stop.abort();
      });
      const answering = (async () => this.serverOf(version)(request))();
      answering.then(resolve, reject).finally(() => {
        isAnswered = true;
        timer.cancel();
        answered();
      });
    });
  }
}

/** What another server answers to a request for a document. */
interface RemoteDocument {
  readonly status: number;
  /** Undefined for every status but 200. */
  readonly document: JsonObject | undefined;
}

/** Whom this server is when it looks whether others answer. */
const aggregatorUser: UserInfo = {
  name: "system:kube-aggregator",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};

function titleOf({ namespace, name }: ServicePlace): string {
  return `${namespace}/${name}`;
}

const nothingListens: RemoteServer = async ({ host }) => {
  throw new Error(`dial tcp ${host}: connect: connection refused`);
};

async function discard(body: RemoteResponse["body"]): Promise<void> {
  if (body !== undefined && Symbol.asyncIterator in body) await body[Symbol.asyncIterator]().return?.();
}
