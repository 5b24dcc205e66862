import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { plainText, sniffedText } from "../../endpoints/contract/endpoint-response.ts";
import { metricsContentType } from "../../endpoints/nonresource/metrics.ts";
import type { ApiResponse } from "../../request/handler.ts";
import type { Scripts } from "../../streams/find-scripts.ts";
import { containerFamilies, kubeletFamilies, processFamilies } from "./container-metrics.ts";
import {
  answerCommand,
  answerContainerLogs,
  answerStream,
  type ContainerStreams,
} from "./container-requests.ts";
import { kubeletConfiguration } from "./kubelet-configuration.ts";
import {
  answerAt,
  type KubeletPaths,
  type KubeletRequest,
  type Route,
  type RoutedRequest,
} from "./kubelet-paths.ts";
import { type StampedFamily, stampedText } from "./metric-families.ts";
import { boundPods, podOn, podsOn, runtimePods } from "./node-pods.ts";
import { resourceFamilies } from "./resource-metrics.ts";
import { type StatsSource, statsSummary } from "./stats-summary.ts";

/** What the server of a kubelet works with. */
export interface KubeletServerEnvironment {
  readonly lister: Lister;
  readonly clock: Clock;
  readonly gates: FeatureGates;
  /** What tests say about pods and nodes. */
  readonly scripts: Pick<Scripts, "all">;
  readonly streams: ContainerStreams;
}

const json = ["application/json"];

/** Answers a request as the kubelet of a node. Upstream: pkg/kubelet/server/server.go. */
export function kubeletServer(
  node: KubeObject,
  environment: KubeletServerEnvironment,
): (request: KubeletRequest) => ApiResponse | Promise<ApiResponse> {
  const { lister, clock, gates, scripts, streams } = environment;
  const { since } = gates;
  const source = (): StatsSource => ({ lister, scripts, since, now: clock.now() });
  const bound = () => podsOn(lister, node);
  const get = (path: string, text: () => string): Route => ({
    methods: ["GET"],
    path,
    answer: () => answerText("application/json", text()),
  });
  const summary: Route["answer"] = ({ url }) => {
    const isShort = String(url.searchParams.getAll("only_cpu_and_memory")) === "true";
    // Go-restful writes with one space.
    return answerText(
      "application/json",
      JSON.stringify(statsSummary(node, source(), isShort ? "cpuAndMemory" : "all"), undefined, 1),
    );
  };
  const wanted = ({ parameters }: RoutedRequest) => {
    const pod = podOn(lister, node, parameters.get("namespace") ?? "", parameters.get("pod") ?? "");
    return { pod, streams, gates };
  };
  const paths: KubeletPaths = {
    handlers: new Map([
      ...healthHandlers(since),
      ...metricHandlers(node, source, since),
      ["/configz", () => configz(kubeletConfiguration(node, since))] as const,
    ]),
    services: [
      { path: "/pods", produces: json, routes: [get("/pods", () => boundPods(bound()))] },
      {
        path: "/runningpods/",
        produces: json,
        routes: [get("/runningpods", () => runtimePods(bound(), since))],
      },
      {
        path: "/stats/",
        produces: json,
        routes: [{ methods: ["GET", "POST"], path: "/stats/summary", answer: summary }],
      },
      {
        path: "/containerLogs",
        produces: [],
        routes: [
          {
            methods: ["GET"],
            path: "/containerLogs/{namespace}/{pod}/{container}",
            answer: (request) => answerContainerLogs(request, wanted(request)),
          },
        ],
      },
      ...streamServices(wanted),
    ],
  };
  return (request) => answerAt(paths, request);
}

type Handlers = readonly (readonly [path: string, answer: (request: KubeletRequest) => ApiResponse])[];

function healthHandlers(since: FeatureGates["since"]): Handlers {
  const checks = ["ping", "log", "syncloop", ...(since("1.32") ? ["device-plugin"] : [])];
  const all = ({ url }: KubeletRequest): ApiResponse => {
    if (!url.searchParams.has("verbose")) return plainText(200, "ok");
    const excluded = url.searchParams.getAll("exclude");
    const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: " : ""}ok\n`);
    return plainText(200, `${lines.join("")}healthz check passed\n`);
  };
  return [
    ["/healthz", all],
    ...checks.map((name) => [`/healthz/${name}`, () => sniffedText(200, "ok")] as const),
  ];
}

function metricHandlers(node: KubeObject, source: () => StatsSource, since: FeatureGates["since"]): Handlers {
  const answer = (families: (node: KubeObject, source: StatsSource) => readonly StampedFamily[]) => () =>
    answerText(metricsContentType(since), stampedText(families(node, source())));
  return [
    ["/metrics", answer(kubeletFamilies)],
    ["/metrics/cadvisor", answer(containerFamilies)],
    ["/metrics/probes", answer(processFamilies)],
    ...(since("1.18") ? [["/metrics/resource", answer(resourceFamilies)] as const] : []),
  ];
}

/** The services of streams and commands; a pod may be named with its uid. */
function streamServices(
  wanted: (request: RoutedRequest) => Parameters<typeof answerStream>[2],
): KubeletPaths["services"] {
  return (["run", "exec", "attach", "portForward"] as const).map((kind) => {
    const rest = kind === "portForward" ? "" : "/{container}";
    const answer = (request: RoutedRequest) =>
      kind === "run" ? answerCommand(request, wanted(request)) : answerStream(kind, request, wanted(request));
    const methods = kind === "run" ? ["POST"] : ["GET", "POST"];
    const paths = ["", "/{uid}"].map((uid) => `/${kind}/{namespace}/{pod}${uid}${rest}`);
    return { path: `/${kind}`, produces: [], routes: paths.map((path) => ({ methods, path, answer })) };
  });
}

function configz(configuration: JsonObject): ApiResponse {
  const { status, headers, body } = answerText("application/json", JSON.stringify(configuration));
  return { status, headers: [...headers, ["X-Content-Type-Options", "nosniff"]], body };
}

function answerText(type: string, text: string): ApiResponse {
  return { status: 200, headers: [["Content-Type", type]], body: new TextEncoder().encode(text) };
}
