import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts a webhook server with a new certificate for 127.0.0.1, which signs itself. */
export async function startServer(program, file) {
  const directory = mkdtempSync(join(tmpdir(), "webhook-"));
  const certificate = join(directory, "certificate.pem");
  const key = join(directory, "key.pem");
  const files = ["-keyout", key, "-out", certificate];
  const names = ["-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...names], {
    stdio: "ignore",
  });
  const child = spawn(program, [file, certificate, key], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return {
    /** The clientConfig of a webhook at this path. */
    clientConfig: (path) => ({
      url: `https://127.0.0.1:${String(line).trim()}${path}`,
      caBundle: readFileSync(certificate).toString("base64"),
    }),
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      rmSync(directory, { recursive: true });
    },
  };
}
