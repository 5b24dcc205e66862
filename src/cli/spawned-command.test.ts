import { expect, test } from "vitest";
import { type Surroundings, spawnedCommand } from "./spawned-command.ts";

function windows(files: readonly string[], environment: Surroundings["environment"] = {}): Surroundings {
  const lower = files.map((file) => file.toLowerCase());
  return {
    platform: "win32",
    directory: "C:\\work",
    environment: { Path: 'C:\\tools;"C:\\Program Files\\nodejs"', ...environment },
    isFile: (path) => lower.includes(path.toLowerCase()),
  };
}

const npx = "C:\\Program Files\\nodejs\\npx.cmd";
const shim = "C:\\work\\node_modules\\.bin\\vitest.cmd";

test.each([
  ["an .exe file on PATH", "kubectl", ["C:\\tools\\kubectl.EXE"], {}, "C:\\tools\\kubectl.EXE"],
  [
    "the file before its extensions",
    "a.exe",
    ["C:\\tools\\a.exe", "C:\\tools\\a.exe.CMD"],
    {},
    "C:\\tools\\a.exe",
  ],
  ["a name with a dot", "python3.12", ["C:\\tools\\python3.12.EXE"], {}, "C:\\tools\\python3.12.EXE"],
  ["the current directory first", "go", ["C:\\tools\\go.EXE", "C:\\work\\go.EXE"], {}, "C:\\work\\go.EXE"],
  [
    "a path, from the current directory",
    ".\\bin\\run",
    ["C:\\work\\bin\\run.EXE"],
    {},
    "C:\\work\\bin\\run.EXE",
  ],
  ["a path with slashes", "bin/run", ["C:\\work\\bin\\run.EXE"], {}, "C:\\work\\bin\\run.EXE"],
  ["an absolute path", "D:\\x\\run.exe", ["D:\\x\\run.exe"], {}, "D:\\x\\run.exe"],
  ["only the extensions of PATHEXT", "go", ["C:\\tools\\go.exe"], { PATHEXT: ".CMD" }, "go"],
  ["no such file", "no-such-command", [], {}, "no-such-command"],
])("Windows finds a command: %s", (_title, command, files, environment, file) => {
  const args = ["a b", '"'];
  expect(spawnedCommand(command, args, windows(files, environment))).toEqual({
    file,
    args,
    windowsVerbatimArguments: false,
  });
});

test.each([
  ["a batch file", "npx", [npx], "tsc", '"C:\\Program^ Files\\nodejs\\npx.CMD ^"tsc^""'],
  ["a .bat file", "x.bat", ["C:\\tools\\x.bat"], "a", '"C:\\tools\\x.bat ^"a^""'],
  [
    "spaces and special characters",
    "npx",
    [npx],
    "a b&c|%d%",
    '"C:\\Program^ Files\\nodejs\\npx.CMD ^"a^ b^&c^|^%d^%^""',
  ],
  ["quotes", "npx", [npx], 'say "hi"', '"C:\\Program^ Files\\nodejs\\npx.CMD ^"say^ \\^"hi\\^"^""'],
  ["backslashes before a quote", "npx", [npx], 'a\\"', '"C:\\Program^ Files\\nodejs\\npx.CMD ^"a\\\\\\^"^""'],
  ["backslashes at the end", "npx", [npx], "C:\\x\\", '"C:\\Program^ Files\\nodejs\\npx.CMD ^"C:\\x\\\\^""'],
  [
    "a file that npm created",
    "node_modules/.bin/vitest",
    [shim],
    "a&b",
    `"${shim.replace("cmd", "CMD")} ^^^"a^^^&b^^^""`,
  ],
])("cmd.exe runs %s", (_title, command, files, argument, line) => {
  expect(spawnedCommand(command, [argument], windows(files, { COMSPEC: "C:\\Windows\\cmd.exe" }))).toEqual({
    file: "C:\\Windows\\cmd.exe",
    args: ["/d", "/s", "/c", line],
    windowsVerbatimArguments: true,
  });
});

test("without ComSpec, the batch file is run by the cmd.exe on PATH", () => {
  expect(spawnedCommand("npx", [], windows([npx])).file).toBe("cmd.exe");
});

test.each(["linux", "darwin"] as const)("%s finds the command itself", (platform) => {
  const surroundings = { ...windows([npx]), platform };
  expect(spawnedCommand("npx", ["a b"], surroundings)).toEqual({
    file: "npx",
    args: ["a b"],
    windowsVerbatimArguments: false,
  });
});
