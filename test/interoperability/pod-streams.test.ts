import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonWithKubernetes } from "../../scoreboard/python.ts";
import { type Cluster, createCluster, type ExecCall } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { ended } from "./kubectl.ts";
import { installedKubectls } from "./kubectl-versions.ts";
import { hasTerminal, Terminal, terminalSize } from "./terminal.ts";

const [oldest, ...newer] = installedKubectls();
/** The first speaks SPDY, the last WebSockets. */
const kubectls = [oldest, newer.at(-1)].filter((one) => one !== undefined);
const python = pythonWithKubernetes();
if (python === undefined) console.log("skipped: there is no Python with the package kubernetes");

let cluster: Cluster;
let server: Serving;
let directory: string;

/** As long as a busy machine may take. */
const poll = { timeout: 20_000 };
const page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
const started = { startedAt: "2024-01-01T00:00:00Z" };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubedouble-streams-"));
  mkdirSync(join(directory, "tmp"));
  const container = { name: "c", image: "i" };
  const objects = ["web", "job", "shell"].map((name) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [name === "shell" ? { ...container, stdin: true, tty: true } : container] },
  }));
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  cluster = createCluster({ objects: [...objects, node] });
  const ran = { terminated: { exitCode: 0, ...started, finishedAt: "2024-01-01T00:00:01Z" } };
  const report = (name: string, state: object, rest: object) => {
    const containerStatuses = [{ name: "c", image: "i", imageID: "", ready: true, state, ...rest }];
    const status = { phase: "Running", containerStatuses };
    return cluster.patch("v1", "Pod", name, { status }, { subresource: "status" });
  };
  await report("web", { running: started }, { restartCount: 1, lastState: ran });
  await report("job", ran, { restartCount: 0 });
  await report("shell", { running: started }, { restartCount: 0 });
  await cluster.patch(
    "v1",
    "Node",
    "n",
    { status: { allocatable: { cpu: "4", memory: "4Gi" } } },
    { subresource: "status" },
  );
  const web = cluster.pod("web");
  web.onExec(shell);
  web.onAttach(async ({ stdin, stdout }) => stdout.write(`attached: ${await stdin.text()}`));
  web.onPortForward(80, async ({ received, write }) => {
    for await (const _request of received) return write(page);
  });
  web.log("crashed\n", { restart: 0 });
  web.log(["one", "two"], { restart: 1 });
  cluster.pod("job").log("done\n", { restart: 0 });
  await web.usage({ cpu: "250m", memory: "64Mi" });
  await cluster.node("n").usage({ cpu: "1", memory: "1Gi" });
  server = await serve(cluster);
  writeFileSync(join(directory, "kubeconfig"), server.kubeconfig(), { mode: 0o600 });
}, 120_000);

afterAll(async () => {
  await server.close();
  await cluster.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The commands of the pod, whose files are in a directory of this machine. */
async function shell(call: ExecCall): Promise<number> {
  const { command, stdin, stdout, stderr } = call;
  const [name = "", ...words] = command;
  if (name === "terminal") return interactive(call);
  if (name === "tar") return tar(words, stdin, stdout);
  if (name === "cat") {
    for await (const piece of stdin) await stdout.write(piece);
    return 0;
  }
  await stdout.write(`${name} ran\n`);
  await stderr.write("careful\n");
  return Number(words[0] ?? 0);
}

/** Says the sizes of the terminal, until it has the last one, and what the user types. */
async function interactive({ command, stdin, stdout, resize, tty }: ExecCall): Promise<number> {
  const [, last, changed = ""] = command;
  for await (const { width, height } of resize) {
    if (`${width}x${height}` === `${terminalSize.width}x${terminalSize.height}`) writeFileSync(changed, "");
    if (`${width}x${height}` === last) break;
  }
  await stdout.write(`terminal: ${tty}, ${last}\r\n`);
  for await (const typed of stdin) {
    await stdout.write(`typed ${new TextDecoder().decode(typed).trim()}\r\n`);
    return 7;
  }
  return 8;
}

async function tar(
  words: readonly string[],
  stdin: ExecCall["stdin"],
  stdout: ExecCall["stdout"],
): Promise<number> {
  // client-node asks for compressed files, and reads them as if they were not.
  const plain = words.map((word) => (word === "zcf" ? "cf" : word));
  const inside = plain.map((word, index) =>
    plain[index - 1] === "-C" ? join(directory, word) : word.replace(/^\//, ""),
  );
  const child = spawn("tar", inside, { cwd: directory });
  const exit = once(child, "close");
  const output = async () => {
    for await (const piece of child.stdout) await stdout.write(piece);
  };
  if (words.some((word) => /^-?z?xm?f$/.test(word)))
    await pipeline(Readable.from(stdin), child.stdin).catch(() => {});
  else child.stdin.end();
  await output();
  return Number((await exit)[0]);
}

describe.each(kubectls)("kubectl 1.$minor", ({ path }) => {
  const start = (words: string): ChildProcess =>
    spawn(path, words.split(" "), {
      env: { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") },
    });
  const run = async (words: string, input = "") => {
    const child = start(words);
    child.stdin?.end(input);
    return ended(child);
  };

  test("exec has output, errors, input and exit codes", async () => {
    expect(await run("exec web -- ls 3")).toEqual({
      status: 3,
      stdout: "ls ran\n",
      stderr: "careful\ncommand terminated with exit code 3\n",
    });
    expect(await run("exec -i web -- cat", "from here")).toEqual({
      status: 0,
      stdout: "from here",
      stderr: "",
    });
  });

  test.skipIf(!hasTerminal)("exec has a terminal with its sizes, input and exit code", async () => {
    const changed = join(directory, `changed-${path.replaceAll("/", "-")}`);
    const env = { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
    // Another process changes the size of the terminal once the command has heard of the first one.
    const resizing = `(until test -e ${changed}; do sleep 0.05; done; stty cols 120 rows 40 </dev/tty) & {}`;
    const terminal = new Terminal(
      path,
      ["exec", "-it", "web", "--", "terminal", "120x40", changed],
      env,
      resizing,
    );
    await terminal.shows("terminal: true, 120x40");
    terminal.type("hello\r");
    const { status, output } = await terminal.ended();
    expect(output).toContain("typed hello");
    expect(output).toContain("command terminated with exit code 7");
    expect(status).toBe(7);
  });

  test.skipIf(!hasTerminal)("attach has a terminal", async () => {
    using _attach = cluster.pod("shell").onAttach(async ({ stdin, stdout, tty }) => {
      await stdout.write(`terminal: ${tty}\r\n`);
      for await (const typed of stdin)
        return stdout.write(`typed ${new TextDecoder().decode(typed).trim()}\r\n`);
      return undefined;
    });
    const env = { ...process.env, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
    const terminal = new Terminal(path, ["attach", "-it", "shell"], env);
    await terminal.shows("terminal: true");
    terminal.type("hello\r");
    expect(await terminal.ended()).toMatchObject({
      status: 0,
      output: expect.stringContaining("typed hello"),
    });
  });

  test("attach ends with the process", async () => {
    expect(await run("attach -i -q web", "hi")).toMatchObject({ status: 0, stdout: "attached: hi" });
  });

  test("cp copies files both ways", async () => {
    const [there, here] = [join(directory, "there"), join(directory, "here")];
    writeFileSync(there, "content");
    expect(await run(`cp ${there} web:/tmp/copied`)).toMatchObject({ status: 0 });
    expect(readFileSync(join(directory, "tmp/copied"), "utf8")).toBe("content");
    expect(await run(`cp web:/tmp/copied ${here}`)).toMatchObject({ status: 0 });
    expect(readFileSync(here, "utf8")).toBe("content");
  });

  test("logs are those of the run, and are followed until it ends", async () => {
    expect(await run("logs web --tail=1")).toMatchObject({ status: 0, stdout: "two\n" });
    expect(await run("logs web --previous")).toMatchObject({ status: 0, stdout: "crashed\n" });
    expect(await run("logs -f job")).toMatchObject({ status: 0, stdout: "done\n" });
    const child = start("logs -f web --tail=0");
    const said = new PassThrough({ encoding: "utf8" });
    child.stdout?.pipe(said);
    // kubectl may ask after the first line.
    const write = () => cluster.pod("web").log("more\n", { restart: 1 });
    const written = [write()];
    const next = setInterval(() => written.push(write()), 50);
    const [line] = await once(said, "data");
    clearInterval(next);
    for (const handle of written) handle.remove();
    expect(line).toMatch(/^more\n/);
    child.kill();
    await once(child, "close");
  });

  test("port-forward serves several connections, one after another", async () => {
    const child = start("port-forward web :80");
    let [output] = await once(child.stdout ?? new PassThrough(), "data");
    output = String(output);
    const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    for (let request = 0; request < 2; request++) {
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
    }
    child.kill();
    await once(child, "close");
  });

  test("top shows usage", async () => {
    expect((await run("top pod web")).stdout).toMatch(/web +250m +64Mi/);
    expect((await run("top node n")).stdout).toMatch(/n +1000m +25% +1024Mi +25%/);
  });
});

interface ClientNode
  extends Pick<
    typeof import("client-node-1"),
    "KubeConfig" | "Exec" | "Attach" | "Log" | "PortForward" | "Cp"
  > {}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const clients: [string, () => Promise<ClientNode>][] = [["1", () => import("client-node-1")]];
if (major > 22 || (major === 22 && minor >= 19)) {
  // The tests use the common part of both versions.
  clients.push(["2", async () => (await import("client-node-2")) as unknown as ClientNode]);
} else
  console.log(
    `skipped: @kubernetes/client-node 2 needs Node 22.19 or later, this is ${process.versions.node}`,
  );

describe.each(clients)("@kubernetes/client-node %s", (_version, load) => {
  async function client() {
    const library = await load();
    const config = new library.KubeConfig();
    config.loadFromString(server.kubeconfig());
    return { library, config };
  }

  const collected = () => {
    let got = "";
    let wake = () => {};
    const stream = new Writable({
      write(piece, _encoding, done) {
        got += piece;
        wake();
        done();
      },
    });
    const until = async (wanted: string) => {
      while (!got.includes(wanted))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return got;
    };
    return { stream, until };
  };

  test("executes, attaches, reads logs, forwards a port and copies both ways", async () => {
    const { library, config } = await client();
    const [out, error] = [collected(), collected()];
    const status = await new Promise<object>((resolve) => {
      void new library.Exec(config).exec(
        "default",
        "web",
        "c",
        ["ls", "4"],
        out.stream,
        error.stream,
        null,
        false,
        resolve,
      );
    });
    expect(status).toMatchObject({ reason: "NonZeroExitCode", details: { causes: [{ message: "4" }] } });
    expect([await out.until("ran"), await error.until("careful")]).toEqual(["ls ran\n", "careful\n"]);

    const heard = collected();
    using _attach = cluster.pod("web").onAttach(({ stdout }) => stdout.write("here\n"));
    await new library.Attach(config).attach("default", "web", "c", heard.stream, null, null, false);
    await heard.until("here\n");

    const log = new PassThrough();
    await new library.Log(config).log("default", "job", "c", log);
    expect(await text(log)).toBe("done\n");

    const [reply, failure] = [collected(), collected()];
    const input = new PassThrough();
    await new library.PortForward(config).portForward(
      "default",
      "web",
      [80],
      reply.stream,
      failure.stream,
      input,
    );
    input.write("GET / HTTP/1.1\r\n\r\n");
    await reply.until("hello");

    writeFileSync(join(directory, "tmp/file"), "copied");
    mkdirSync(join(directory, "target"), { recursive: true });
    await new library.Cp(config).cpFromPod("default", "web", "c", "file", join(directory, "target"), "/tmp");
    const file = join(directory, "target/file");
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8"), poll).toBe("copied");

    mkdirSync(join(directory, "source"), { recursive: true });
    writeFileSync(join(directory, "source/uploaded"), "sent");
    await new library.Cp(config).cpToPod("default", "web", "c", join(directory, "source"), "/tmp");
    const uploaded = join(directory, "tmp/uploaded");
    await expect.poll(() => existsSync(uploaded) && readFileSync(uploaded, "utf8"), poll).toBe("sent");
    rmSync(uploaded);
  });
});

test.skipIf(python === undefined)(
  "Python's client executes, attaches, reads logs, forwards a port and copies",
  async () => {
    writeFileSync(join(directory, "tmp/python"), "downloaded");
    const program = resolve("test/interoperability/programs/pod_streams.py");
    const child = spawn(python ?? "", [program, join(directory, "kubeconfig")], {
      env: { ...process.env, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" },
    });
    const { status, stdout, stderr } = await ended(child);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      stdout: "ls ran\n",
      stderr: "careful\n",
      code: 5,
      echoed: "sent",
      log: "done\n",
      attached: "attached: ",
      page: "hello",
      copied: "downloaded",
    });
    // The client does not wait for the end of the command.
    const uploaded = join(directory, "tmp/from-python");
    await expect.poll(() => existsSync(uploaded) && readFileSync(uploaded, "utf8"), poll).toBe("uploaded");
  },
  60_000,
);
