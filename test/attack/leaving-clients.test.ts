import { once } from "node:events";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExecCall } from "../../src/index.ts";
import { controlFrame, frameTypes, resetStatus } from "../../src/streams/spdy/spdy-frames.ts";
import {
  aborted,
  inputFrame,
  PodClient,
  type PodProtocol,
  servedPod,
  webSocketFrame,
} from "./pod-streams.ts";

let served: Awaited<ReturnType<typeof servedPod>>;

beforeEach(async () => {
  served = await servedPod();
});

afterEach(async () => {
  await served.server.close();
  await served.cluster.close();
});

/** A command that reads and writes until its client has left. Resolves when that is over. */
function endlessCommand(): { readonly isBlocked: Promise<void>; readonly over: Promise<void> } {
  let block = () => {};
  const isBlocked = new Promise<void>((resolve) => {
    block = resolve;
  });
  const over = new Promise<void>((resolve) => {
    served.cluster.pod("web").onExec(async ({ stdin, stdout, signal }: ExecCall) => {
      const read = async () => {
        for await (const _piece of stdin);
      };
      const write = async () => {
        while (!signal.aborted) {
          let isTaken = false;
          const writing = stdout.write(new Uint8Array(64 * 1024)).then(() => {
            isTaken = true;
          });
          for (let turn = 0; turn < 200 && !isTaken; turn++)
            await new Promise((resolve) => setImmediate(resolve));
          if (!isTaken) block();
          await writing;
        }
      };
      await Promise.all([aborted(signal), read(), write()]);
      resolve();
    });
  });
  return { isBlocked, over };
}

type Leaving = readonly [title: string, leave: (socket: net.Socket) => void];

const anyProtocol: readonly Leaving[] = [
  ["resets its connection", (socket) => socket.resetAndDestroy()],
  ["closes it", (socket) => socket.destroy()],
  ["ends its side and reads nothing", (socket) => socket.end()],
];
const ofWebSocket: readonly Leaving[] = [
  ["sends a close frame and reads nothing", (socket) => socket.write(webSocketFrame(8, new Uint8Array()))],
  ["sends a frame without a mask and reads nothing", (socket) => socket.write(Uint8Array.of(0x82, 0))],
];
const ofSpdy: readonly Leaving[] = [
  ["sends GOAWAY and reads nothing", (socket) => socket.write(controlFrame(frameTypes.goAway, [0, 0]))],
  ["sends a frame of another version", (socket) => socket.write(Uint8Array.of(0x80, 2, 0, 1, 0, 0, 0, 0))],
  ["sends a frame that is too short", (socket) => socket.write(controlFrame(frameTypes.synStream, []))],
];

const protocols: readonly PodProtocol[] = ["WebSocket", "SPDY"];
const leavings = protocols.flatMap((protocol) =>
  [...anyProtocol, ...(protocol === "SPDY" ? ofSpdy : ofWebSocket)].map(
    ([title, leave]) => [protocol, title, leave] as const,
  ),
);

describe("a command whose output its client does not take learns that the client has left", () => {
  test.each(leavings)("if a client of %s %s", async (protocol, _title, leave) => {
    const { isBlocked, over } = endlessCommand();
    const { socket } = await PodClient.execute(served, protocol);
    await isBlocked;
    leave(socket);
    await over;
    socket.destroy();
  });
});

test.each(protocols)(
  "a client of %s that never reads and never stops sending does not hold up the end of the port",
  async (protocol) => {
    const { isBlocked, over } = endlessCommand();
    const { socket } = await PodClient.execute(served, protocol);
    await isBlocked;
    const piece = inputFrame(protocol, new Uint8Array(10_000));
    let isClosed = false;
    const sending = (async () => {
      while (!isClosed) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await served.server.close();
    await over;
    isClosed = true;
    await sending;
    socket.destroy();
  },
);

describe("a connection to a port whose stream the client resets", () => {
  async function forwarded(): Promise<PodClient> {
    const client = await PodClient.open(served, "portforward", "SPDY");
    const headers = (type: string) => [["streamtype", type] as const, ["port", "80"] as const];
    client.openStream(1, headers("error"));
    client.openStream(3, headers("data"));
    return client;
  }

  const reset = controlFrame(frameTypes.rstStream, [3, resetStatus.cancel]);

  test("aborts the signal of its script", async () => {
    let connected = () => {};
    const isConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const over = new Promise<void>((resolve) => {
      served.cluster.pod("web").onPortForward(80, async ({ signal }) => {
        connected();
        await aborted(signal);
        resolve();
      });
    });
    const { socket } = await forwarded();
    await isConnected;
    socket.write(reset);
    await over;
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });

  test("ends the connection to a server that does not end it", async () => {
    const server = net.createServer({ allowHalfOpen: true });
    server.listen(0);
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    served.cluster.pod("web").onPortForward(80, port);
    const [{ socket }, [accepted]] = await Promise.all([
      forwarded(),
      once(server, "connection") as Promise<[net.Socket]>,
    ]);
    accepted.on("error", () => {});
    const isClosed = new Promise((resolve) => accepted.once("close", resolve));
    // Written until it fails, as a server does that sends a log.
    const writing = setInterval(() => accepted.write("more"), 5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write(reset);
    accepted.resume();
    await isClosed;
    clearInterval(writing);
    socket.destroy();
    server.close();
  });
});
