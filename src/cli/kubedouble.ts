import { messageOf } from "../apimachinery/errors/message-of.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";
import type { ControlCommandName } from "./control-help.ts";
import { FlagError } from "./flag-error.ts";
import { commandHelp } from "./help.ts";
import { versionLine } from "./version-line.ts";

/** The code of each command is loaded on demand: the version and the help do not need it. */
const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map([
  ["serve", async (args) => (await import("./serve-command.ts")).serveCommand(args)],
  ["exec", async (args) => (await import("./exec-command.ts")).execCommand(args)],
  ["eval", async (args) => (await import("./eval-command.ts")).evalCommand(args)],
  ["admit", async (args) => (await import("./admit-command.ts")).admitCommand(args)],
  ["convert", async (args) => (await import("./convert-command.ts")).convertCommand(args)],
  ["check", async (args) => (await import("./check-command.ts")).checkCommand(args)],
  ["types", async (args) => (await import("./types-command.ts")).typesCommand(args)],
  ["lint-deprecations", async (args) => (await import("./lint-command.ts")).lintCommand(args)],
  ["credential", async (args) => (await import("./credential-command.ts")).credentialCommand(args)],
  ["inject", control("inject")],
  ["faults", control("faults")],
  ["requests", control("requests")],
  ["clock", control("clock")],
  ["upgrade", control("upgrade")],
  ["downgrade", control("downgrade")],
  ["reset", control("reset")],
]);

function control(name: ControlCommandName): (args: readonly string[]) => Promise<number> {
  return async (args) => (await import("./control-commands.ts")).controlCommand(name, args);
}

/** Runs the command line after the name of the program; resolves to its exit status. */
export async function kubedouble(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(commandHelp);
    return 0;
  }
  if (name === "version" || name === "--version") {
    console.log(versionLine());
    return 0;
  }
  const command = commands.get(name);
  try {
    if (command === undefined) throw unknownCommand(name);
    return await command(rest);
  } catch (error) {
    console.error(`Error: ${messageOf(error)}`);
    if (error instanceof FlagError) {
      console.error(`See 'kubedouble${command === undefined ? "" : ` ${name}`} --help' for usage.`);
    }
    return 1;
  }
}

function unknownCommand(name: string): FlagError {
  if (name.startsWith("-")) return new FlagError(`unknown flag: ${name}`);
  const nearest = nearestName(name, commands.keys());
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return new FlagError(`unknown command "${name}" for "kubedouble"${hint}`);
}
