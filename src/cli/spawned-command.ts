import { win32 } from "node:path";

/** What the search for a command reads. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly directory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly isFile: (path: string) => boolean;
}

/** The parameters of `spawn` for a command. */
export interface SpawnedCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether `args` are already quoted for Windows. */
  readonly windowsVerbatimArguments: boolean;
}

/**
 * How to spawn a command so that Windows finds what its command line would find. There, `npx` or `kubectl` is often a
 * `.cmd` file, which only `cmd.exe` can run. On other platforms the system finds the command.
 */
export function spawnedCommand(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): SpawnedCommand {
  const found = surroundings.platform === "win32" ? windowsFile(command, surroundings) : undefined;
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) {
    return { file: found ?? command, args, windowsVerbatimArguments: false };
  }
  const line = commandLine(found, args);
  return {
    file: variable(surroundings, "ComSpec") ?? "cmd.exe",
    // With /s, cmd.exe removes the outer quotes and leaves the rest alone.
    args: ["/d", "/s", "/c", `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** The file that a command names: in its directory, or in the current one and those of PATH; by PATHEXT. */
function windowsFile(command: string, surroundings: Surroundings): string | undefined {
  const { directory, isFile } = surroundings;
  const isPath = /[\\/]/.test(command) || /^[a-z]:/i.test(command);
  const path = (variable(surroundings, "Path") ?? "").split(";").map((entry) => entry.replaceAll('"', ""));
  const directories = isPath ? [directory] : [directory, ...path.filter((entry) => entry !== "")];
  const extensions = (variable(surroundings, "PathExt") || ".COM;.EXE;.BAT;.CMD").split(";");
  const hasExtension = extensions.some((extension) => endsWith(command, extension));
  for (const folder of directories) {
    for (const extension of hasExtension ? ["", ...extensions] : extensions) {
      const file = win32.resolve(directory, folder, `${command}${extension}`);
      if (isFile(file)) return file;
    }
  }
  return undefined;
}

function endsWith(command: string, extension: string): boolean {
  return extension !== "" && command.toLowerCase().endsWith(extension.toLowerCase());
}

/** A variable of the environment; on Windows, case does not matter in their names. */
function variable({ environment }: Surroundings, wanted: string): string | undefined {
  const name = Object.keys(environment).find((key) => key.toLowerCase() === wanted.toLowerCase());
  return name === undefined ? undefined : environment[name];
}

/** A line from which cmd.exe, and the program that it starts, read exactly this file and these arguments. */
function commandLine(file: string, args: readonly string[]): string {
  // The files that npm creates there pass their arguments on, so cmd.exe reads the line twice.
  const isReadTwice = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const escaped = args.map((argument) => {
    const once = withoutMeaning(quoted(argument));
    return isReadTwice ? withoutMeaning(once) : once;
  });
  return [withoutMeaning(file), ...escaped].join(" ");
}

/** An argument as C programs on Windows read it: backslashes count double before a quote. */
function quoted(argument: string): string {
  return `"${argument.replace(/(\\*)("|$)/g, (_match, backslashes: string, quote: string) => {
    return `${backslashes}${backslashes}${quote === "" ? "" : '\\"'}`;
  })}"`;
}

/** Text in which cmd.exe sees no special characters. */
function withoutMeaning(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
