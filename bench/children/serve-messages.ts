/** Answers messages `NAME ARGUMENT` of the parent process until it exits. Each child has its own names; all have `cpu`. */
export function serveMessages(answers: { readonly [name: string]: (argument: string) => unknown }): void {
  process.on("message", (message: string) => {
    const [name = "", argument = ""] = message.split(" ");
    const answer = answers[name] ?? cpu;
    void (async () => process.send?.((await answer(argument)) ?? null))();
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}

/** Microseconds. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The reachable memory in bytes, buffers included. */
export function heapUsed(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
