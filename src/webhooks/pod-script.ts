import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Address } from "./address.ts";

/** What a client sends to a process, or to a port. */
export interface ContainerInput extends AsyncIterable<Uint8Array> {
  /** Reads everything up to its end, as UTF-8. */
  text(): Promise<string>;
}

/** Where a process writes. */
export interface ContainerOutput {
  /**
   * Resolves when the client takes more. What is written after the client has left is dropped. Wait for it: what a script writes without
   * waiting is kept until the client takes it.
   */
  write(data: string | Uint8Array): Promise<void>;
}

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The streams of a process to which a client is connected. */
export interface AttachCall {
  readonly pod: KubeObject;
  readonly container: string;
  /** Ends at once if the client sends none. */
  readonly stdin: ContainerInput;
  readonly stdout: ContainerOutput;
  /** The same as `stdout` on a terminal. */
  readonly stderr: ContainerOutput;
  /** The sizes of the client's terminal; none without one. */
  readonly resize: AsyncIterable<TerminalSize>;
  readonly tty: boolean;
  /** Aborts when the client leaves, or when the container ends. While input waits that nothing reads, it is not known that the client has left. */
  readonly signal: AbortSignal;
}

/** A command that a client runs in a container. */
export interface ExecCall extends AttachCall {
  readonly command: readonly string[];
}

/** Runs a command and returns its exit code; none is 0. What it throws is an error of the container runtime. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement ends with exit code 0
export type ExecScript = (call: ExecCall) => number | void | Promise<number | void>;

/** Plays the process of a container for a client that attaches to it. It has ended when the function returns. */
export type AttachScript = (call: AttachCall) => unknown;

/** A connection to a port of a pod. */
export interface ForwardedConnection {
  readonly pod: KubeObject;
  readonly port: number;
  readonly received: ContainerInput;
  /** Resolves when the client takes more. Wait for it: what is written without waiting is kept until the client takes it. */
  write(data: string | Uint8Array): Promise<void>;
  /** Aborts when the client closes the connection, or when the pod ends. */
  readonly signal: AbortSignal;
}

/** Answers on a connection to a port. The connection closes when it returns. */
export type PortForwardScript = (connection: ForwardedConnection) => unknown;

/** A WebSocket that a client has opened through the proxy of the API server. */
export interface ProxyWebSocket {
  /** The messages of the client; each frame counts as one. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Sends a message. Resolves when the client takes more. */
  send(message: string | Uint8Array): Promise<void>;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

/** Speaks on a WebSocket. It closes when the function returns. */
export type WebSocketScript = (webSocket: ProxyWebSocket) => unknown;

/** How a WebSocket is accepted. */
export interface ProxyWebSocketOptions {
  /** The subprotocol that the pod selects. Default: none. */
  readonly protocol?: string;
  /** The type of all messages that the pod sends. Default: text. */
  readonly type?: "text" | "binary";
}

/** A request that the API server proxies. Its URL has the path that the client requested behind `/proxy`. */
export interface ProxyRequest extends Request {
  /**
   * Accepts the WebSocket that the client asks for: `return request.upgrade(async ({ send }) => send("hello"))`. Undefined if it asks for
   * none. Transports without connections to hand over answer 500.
   */
  readonly upgrade?: (run: WebSocketScript, options?: ProxyWebSocketOptions) => Response;
}

/** Answers a request that the API server proxies. */
export type ProxyScript = (request: ProxyRequest) => Response | Promise<Response>;

/** What a container writes to its log. */
export interface LogScript {
  readonly type: "log";
  /** Lines, each with its line break. */
  readonly text: string;
  readonly container: string | undefined;
  readonly stream: "Stdout" | "Stderr";
  /** The run of the container, by its restartCount; undefined for every run that had not ended by then. */
  readonly restart: number | undefined;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** What a container or a node uses, as quantities. */
export interface ResourceUsage {
  readonly cpu: string;
  readonly memory: string;
}

/** What answers in place of the kubelet or of the pod. */
export type PodScript =
  | LogScript
  | { readonly type: "exec"; readonly run: ExecScript }
  | { readonly type: "attach"; readonly run: AttachScript }
  | { readonly type: "portForward"; readonly port: number; readonly to: PortForwardScript | Address }
  | { readonly type: "proxy"; readonly run: ProxyScript }
  | {
      readonly type: "usage";
      readonly container: string | undefined;
      readonly usage: ResourceUsage & JsonObject;
      /** Since when, in milliseconds since the epoch. */
      readonly time: number;
    };

/** The pods, or the node, that a script is for. */
export interface ScriptedPods {
  readonly kind: "Pod" | "Node";
  /** Undefined for every name. */
  readonly name: string | undefined;
  readonly namespace: string;
  readonly labels: { readonly [label: string]: string };
  /** A pattern for the image of one of the containers. */
  readonly image: RegExp | undefined;
}

/** A script and what it is for. */
export interface ScriptTarget {
  readonly pods: ScriptedPods;
  readonly script: PodScript;
}
