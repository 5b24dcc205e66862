import { pageNotFound, sniffedText } from "../../endpoints/contract/endpoint-response.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";

/** A request of a client to a kubelet. */
export interface KubeletRequest {
  readonly method: string;
  readonly url: URL;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** The client's request to the API server, for the connection that it offers and the signal that it has left. */
  readonly request: ApiRequest;
}

/** A request to a route, with the values of the parameters in its path. */
export interface RoutedRequest extends KubeletRequest {
  readonly parameters: ReadonlyMap<string, string>;
}

type Answer<Request> = (request: Request) => ApiResponse | Promise<ApiResponse>;

/** A route of a service. Parts of its path in braces are parameters. */
export interface Route {
  readonly methods: readonly string[];
  readonly path: string;
  readonly answer: Answer<RoutedRequest>;
}

/** The routes below a path, a web service of go-restful. */
export interface Service {
  readonly path: string;
  /** The media types of its answers. A client that accepts others only is refused. */
  readonly produces: readonly string[];
  readonly routes: readonly Route[];
}

/** What a kubelet serves: handlers at paths of their own, which take every method, and services. */
export interface KubeletPaths {
  readonly handlers: ReadonlyMap<string, Answer<KubeletRequest>>;
  readonly services: readonly Service[];
}

/** Answers a request as Go's `ServeMux` and go-restful (curly.go, jsr311.go) choose a handler, or refuse to. */
export function answerAt(
  { handlers, services }: KubeletPaths,
  request: KubeletRequest,
): ApiResponse | Promise<ApiResponse> {
  const { pathname: path, search } = request.url;
  const clean = path.replaceAll(/\/{2,}/g, "/");
  const handler = handlers.get(clean);
  const service = services.find((one) => isBelow(clean, one.path));
  const withSlash = service !== undefined && `${clean}/` === service.path ? service.path : clean;
  if (withSlash !== path) return movedTo(withSlash + search, request.method);
  if (handler !== undefined) return handler(request);
  return service === undefined ? pageNotFound() : answerOfService(service, path, request);
}

/** Whether the mux sends a path to a service, with the redirect to the slash at its end. */
function isBelow(path: string, root: string): boolean {
  return path === root.replace(/\/$/, "") || path.startsWith(root.replace(/\/?$/, "/"));
}

function movedTo(location: string, method: string): ApiResponse {
  const headers = [["Location", location]] as const;
  if (method !== "GET" && method !== "HEAD") return { status: 301, headers, body: undefined };
  const page = `<a href="${location.replaceAll("&", "&amp;")}">Moved Permanently</a>.\n\n`;
  return {
    status: 301,
    headers: [["Content-Type", "text/html; charset=utf-8"], ...headers],
    body: new TextEncoder().encode(page),
  };
}

function answerOfService(
  { routes, produces }: Service,
  path: string,
  request: KubeletRequest,
): ApiResponse | Promise<ApiResponse> {
  const here = routes.flatMap((route) => {
    const parameters = parametersOf(route.path, path);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  if (here.length === 0) return sniffedText(404, "404: Page Not Found");
  const { method, request: sent } = request;
  const chosen = here.find(({ route }) => route.methods.includes(method));
  if (chosen === undefined) {
    const allowed = [...new Set(here.flatMap(({ route }) => route.methods))].join(", ");
    const refusal = sniffedText(405, "405: Method Not Allowed");
    return { ...refusal, headers: [["Allow", allowed], ...refusal.headers] };
  }
  if (!isAccepted(sent.headers.get("accept") ?? "", produces)) {
    return sniffedText(406, `406: Not Acceptable\n\nAvailable representations: ${produces.join(", ")}`);
  }
  const { route, parameters } = chosen;
  return route.answer({ method, url: request.url, body: request.body, request: sent, parameters });
}

/** The values of the parameters of a pattern; undefined if the path does not match it. */
function parametersOf(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const wanted = partsOf(pattern);
  const parts = partsOf(path);
  if (parts.length !== wanted.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [i, part] of parts.entries()) {
    const name = /^\{(.*)\}$/.exec(wanted[i] ?? "")?.[1];
    if (name !== undefined) parameters.set(name, part);
    else if (part !== wanted[i]) return undefined;
  }
  return parameters;
}

function partsOf(path: string): readonly string[] {
  return path
    .replaceAll(/^\/+|\/+$/g, "")
    .split("/")
    .map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A service that names no media types takes any client that accepts everything. */
function isAccepted(accept: string, produces: readonly string[]): boolean {
  if (accept === "") return true;
  const wanted = accept.split(",").map((type) => (type.split(";")[0] ?? "").trim());
  return wanted.some((type) => type === "*/*" || produces.includes(type));
}
