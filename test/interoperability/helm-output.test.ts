import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { checkCommand } from "../../src/cli/check-command.ts";
import { convertCommand } from "../../src/cli/convert-command.ts";
import { outcomeOf } from "../cli/command-outcome.ts";
import { installedHelm } from "./helm.ts";

const helmPath = installedHelm();
const directory = mkdtempSync(join(tmpdir(), "kubedouble-helm-output-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

/** What `helm template` prints of a chart with a comment, a loop, a hook and a manifest without content. */
function rendered(): string {
  mkdirSync(join(directory, "chart", "templates"), { recursive: true });
  file("chart/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
  file("chart/values.yaml", "hosts: [a.example.com, b.example.com]\nempty: false\n");
  file(
    "chart/templates/ingress.yaml",
    `{{- range $i, $host := .Values.hosts }}
---
# The host of {{ $host }}.
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: {{ $.Release.Name }}-{{ $i }}
spec:
  rules:
  - host: {{ $host }}
    http:
      paths:
      - path: /
        backend: { serviceName: shop, servicePort: 80 }
{{- end }}
`,
  );
  file(
    "chart/templates/job.yaml",
    `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: { helm.sh/hook: pre-install }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: migrate, image: shop }]
`,
  );
  file("chart/templates/none.yaml", "{{- if .Values.empty }}\napiVersion: v1\n{{- end }}\n");
  return execFileSync(helmPath ?? "", ["template", "rel", join(directory, "chart")], { encoding: "utf8" });
}

test.skipIf(helmPath === undefined)(
  "the output of `helm template` is checked, and converted into what the release serves",
  async () => {
    const output = file("output.yaml", rendered());
    const found = await outcomeOf(checkCommand, ["-f", output, "--release", "1.32"]);
    const ingress =
      "networking.k8s.io/v1beta1 Ingress is unavailable in v1.22+; use networking.k8s.io/v1 Ingress";
    expect(found).toMatchObject({ status: 1, err: "" });
    expect(found.out.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/document \d: rel-0: /),
      expect.stringMatching(/document \d: rel-1: /),
    ]);
    expect(found.out.split(ingress)).toHaveLength(3);

    const converted = await outcomeOf(convertCommand, [
      "-f",
      output,
      "--output-version",
      "networking.k8s.io/v1",
    ]);
    expect(converted).toMatchObject({ status: 0, err: "" });
    expect(converted.out).toContain("# The host of b.example.com.");
    const clean = await outcomeOf(checkCommand, [
      "-f",
      file("converted.yaml", converted.out),
      "--release",
      "1.32",
    ]);
    expect(clean).toEqual({ status: 0, out: "", err: "" });
  },
  120_000,
);
