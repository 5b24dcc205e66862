import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { httpsServer } from "../endpoints/aggregated/https-server.ts";
import { isUpgradeRequest } from "../endpoints/aggregated/proxied-upgrade.ts";
import { functionServer, type RemoteServer } from "../endpoints/aggregated/remote-server.ts";
import { proxiedRequest, proxiedUpgrade } from "../endpoints/proxies/proxied-request.ts";
import { scriptedUpgrade } from "../endpoints/proxies/scripted-upgrade.ts";
import type { ConnectedContainer, ProxiedTo } from "../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../request/handler.ts";
import type { Store } from "../store/store.ts";
import type { ConnectionRequest } from "../streams/connection-request.ts";
import { scriptsFor } from "../streams/find-scripts.ts";
import { answerLog, answerPortForward, answerProcess } from "../streams/kubelet/kubelet-answers.ts";
import { answerRun } from "../streams/kubelet/run-answer.ts";
import { type ContainerRun, loggedRun } from "../streams/logs/container-run.ts";
import type { LogSource } from "../streams/logs/read-log.ts";
import type { FollowedPod } from "../streams/pods/followed-pod.ts";
import { portForwarder } from "../streams/port-forward.ts";
import {
  attachedTo,
  killedWith,
  loggingProcess,
  missingCommand,
  type Process,
  scriptedCommand,
  scriptedProcess,
} from "../streams/process.ts";
import type { Address } from "../webhooks/address.ts";
import type { ProxyScript } from "../webhooks/pod-script.ts";
import { attachedInput } from "./attached-input.ts";
import type { ServerOptions } from "./server-options.ts";

const pods = { group: "", resource: "pods" };

/** Answers the requests that `PodConnections` lets through. */
export interface PodAnswers {
  readonly log: Answer<ConnectedContainer, JsonObject>;
  readonly exec: Answer<ConnectedContainer, JsonObject>;
  /** Runs a command without a connection to it. */
  readonly run: Answer<ConnectedContainer, readonly string[]>;
  readonly attach: Answer<ConnectedContainer, JsonObject>;
  readonly portForward: Answer<KubeObject, JsonObject>;
  readonly kubelet: (node: KubeObject, request: ApiRequest) => Promise<ApiResponse>;
  readonly proxy: Answer<ProxyScript, ProxiedTo>;
  readonly proxyTo: Answer<Address, ProxiedTo>;
}

type Answer<Target, Options> = (
  target: Target,
  options: Options,
  request: ApiRequest,
) => ApiResponse | Promise<ApiResponse>;

type AnsweringServer = Pick<ServerOptions, "config" | "targets" | "store" | "closing">;

/** What answers with the scripts and the state of a cluster. */
export function podAnswers(server: AnsweringServer, lister: Lister): PodAnswers {
  const streams = containerAnswers(server, lister);
  return {
    ...streams,
    kubelet: async (node, request) =>
      (await import("./kubelet-answer.ts")).answerKubelet(
        { ...server, lister, streamsWith: (config) => containerAnswers({ ...server, config }, lister) },
        node,
        request,
      ),
    proxy: (script, to, request) =>
      isUpgradeRequest(request)
        ? scriptedUpgrade(script, to, request)
        : proxiedRequest(functionServer(script), to, request),
    proxyTo: (address, to, request) =>
      (isUpgradeRequest(request) ? proxiedUpgrade : proxiedRequest)(serverAt(address, to), to, request),
  };
}

/** What answers for containers. */
function containerAnswers(
  { config, targets, store, closing }: AnsweringServer,
  lister: Lister,
): Pick<PodAnswers, "log" | "exec" | "run" | "attach" | "portForward"> {
  const { pods: scripts } = targets;
  const { clock, featureGates: gates, identifiers } = config;
  const processId = () => `${identifiers.auditId()}${identifiers.auditId()}`.replaceAll("-", "");
  const sourceOf = ({ pod, container }: ConnectedContainer): LogSource => {
    const followed = followedPod(lister, store, pod);
    return {
      container,
      scripts: () => scriptsFor(scripts, pod, "log"),
      pod: followed.pod,
      onChange: (listener) => {
        const stops = [scripts.onChange(listener), followed.onChange(listener)];
        return () => {
          for (const stop of stops) stop();
        };
      },
    };
  };
  const untilClosed = (request: ApiRequest) => requestUntil(closing, request);
  const commandIn = (target: ConnectedContainer, command: readonly string[], tty: boolean): Process => {
    const script = scriptsFor(scripts, target.pod, "exec").at(-1);
    return script
      ? killedWith(
          sourceOf(target),
          runOf(target),
          scriptedCommand(script.run, { ...target, tty }, command),
          command,
        )
      : missingCommand(command, processId());
  };
  return {
    log: (target, options, request) =>
      answerLog(sourceOf(target), target.pod, options, { clock, request: untilClosed(request) }),
    exec: (target, options, request) => {
      const process = commandIn(target, wordsOf(options), options["tty"] === true);
      return answerProcess(process, target, options, { gates, request: untilClosed(request) });
    },
    run: (target, command, request) =>
      answerRun(commandIn(target, command, false), target, command, untilClosed(request).signal),
    attach: (target, options, request) => {
      const script = scriptsFor(scripts, target.pod, "attach").at(-1);
      const source = sourceOf(target);
      const place = { ...target, tty: options["tty"] === true };
      const process = script
        ? attachedTo(source, runOf(target), scriptedProcess(script.run, place))
        : loggingProcess(source, runOf(target), attachedInput(target, options, source, config));
      return answerProcess(process, target, options, { gates, request: untilClosed(request) });
    },
    portForward: (pod, options, request) => {
      const targetOf = (port: number) =>
        scriptsFor(scripts, pod, "portForward").findLast((script) => script.port === port)?.to;
      const forwarder = portForwarder(pod, followedPod(lister, store, pod), targetOf);
      return answerPortForward(forwarder, pod, options, { gates, request: untilClosed(request) });
    },
  };
}

/** A request that ends with the client or with the server. Its fields may be getters of its class. */
function requestUntil(closing: AbortSignal, request: ApiRequest): ConnectionRequest {
  const { headers, connection, signal } = request;
  return { headers, connection, signal: AbortSignal.any([signal, closing]) };
}

/** A server that a test runs. As upstream's proxy to services, it does not check certificates. */
function serverAt(address: Address, { scheme }: ProxiedTo): RemoteServer {
  return httpsServer({
    address,
    scheme: scheme === "https" ? "https" : "http",
    serverName: address.host,
    authorities: undefined,
    verifiesServer: false,
    certificate: undefined,
  });
}

/** The run of a container to which a client connects. It has one: those that do not run are refused. */
function runOf({ pod, container }: ConnectedContainer): () => ContainerRun {
  return () => loggedRun(pod, container, "current");
}

function wordsOf({ command }: JsonObject): readonly string[] {
  return Array.isArray(command) ? command.map(String) : [];
}

/** A pod as it is from now on, until it is deleted. */
function followedPod(lister: Lister, store: Store<KubeObject>, pod: KubeObject): FollowedPod {
  const { namespace = "", name = "", uid } = pod.metadata;
  return {
    pod: () => {
      const present = lister.get(pods, namespace, name);
      return present?.metadata.uid === uid ? present : undefined;
    },
    onChange: (listener) => followPod(store, pod, listener),
  };
}

/** Calls back after changes of a pod, also where a snapshot is restored. */
function followPod(
  store: Store<KubeObject>,
  { metadata: { namespace, name } }: KubeObject,
  listener: () => void,
): () => void {
  const prefix = `/registry/pods/${namespace}/${name}`;
  let isStopped = false;
  let feed = store.watch({ prefix, from: store.revision });
  const follow = () =>
    feed.onReady(() => {
      feed.drain();
      if (isStopped) return;
      if (feed.ended) {
        feed = store.watch({ prefix, from: store.revision });
        follow();
      }
      listener();
    });
  follow();
  return () => {
    isStopped = true;
    feed.close();
  };
}
