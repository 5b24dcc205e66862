import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../apimachinery/json.ts";
import { goTemplate } from "./go-template.ts";

const object = {
  spec: { nodeName: "n", containers: [{ name: "a" }, { name: "b" }], empty: [], replicas: 3 },
  metadata: { labels: { y: "2", x: "1" }, nothing: null },
};

function rendered(template: string, value: JsonValue = object): string {
  return goTemplate(template)(value, (name, args) => `${name}(${args.join()})`);
}

describe("Go's templates", () => {
  test.each([
    ["text, and nothing for a declaration", "a{{ $x := 1 }}b", "ab"],
    ["fields of fields", "{{ .spec.nodeName }}", "n"],
    ["a missing key, and its fields", "{{ .spec.missing }} {{ .no.way.there }}", "<no value> <no value>"],
    [
      "lists and maps",
      "{{ .spec.containers }} {{ .metadata.labels }}",
      "[map[name:a] map[name:b]] map[x:1 y:2]",
    ],
    [
      "a range with index and element",
      "{{ range $i, $c := .spec.containers }}{{ $i }}={{ $c.name }};{{ end }}",
      "0=a;1=b;",
    ],
    ["a range over a map, by key", "{{ range $k, $v := .metadata.labels }}{{ $k }}{{ $v }}{{ end }}", "x1y2"],
    [
      "the dot of a range, and the root in it",
      "{{ range .spec.containers }}{{ .name }}{{ $.spec.nodeName }}{{ end }}",
      "anbn",
    ],
    ["a range without elements", "{{ range .spec.empty }}x{{ else }}none{{ end }}", "none"],
    ["else if", '{{ if .no }}1{{ else if eq .spec.nodeName "n" }}2{{ else }}3{{ end }}', "2"],
    [
      "with",
      "{{ with .spec.nodeName }}{{ . }}{{ else }}-{{ end }}{{ with .no }}{{ . }}{{ else }}-{{ end }}",
      "n-",
    ],
    [
      "assignment in an inner block",
      "{{ $x := false }}{{ range .spec.containers }}{{ $x = true }}{{ end }}{{ $x }}",
      "true",
    ],
    [
      "a declaration that ends with its block",
      "{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}",
      "21",
    ],
    ["pipelines", '{{ "a" | printf "%s-%s" "b" | Quote }}', '"b-a"'],
    ["parentheses with fields", "{{ (index .spec.containers 1).name }}", "b"],
    ["trimmed spaces", "a {{- /* a comment */ -}} b {{- 1 -}} c", "ab1c"],
    ["raw text", '{{ `""` }}', '""'],
    [
      "or and and, which stop early",
      "{{ or .spec.nodeName (index .no 1) }}{{ and .no (index .no 1) }}",
      "n<no value>",
    ],
    ["an empty dict", '{{ $a := or .metadata.annotations dict }}{{ or (index $a "b") "unset" }}', "unset"],
    [
      "comparisons",
      '{{ eq 1 2 1 }} {{ ne "a" "b" }} {{ lt 1 2 }} {{ ge "b" "a" }} {{ eq .no "a" }}',
      "true true true true false",
    ],
    [
      "numbers of the object, which are text",
      '{{ eq .spec.replicas "3" }}{{ .spec.replicas | Quote }}',
      'true"3"',
    ],
    ["lengths", "{{ len .spec.containers }}", "2"],
    ["sprig", '{{ default "x" .no }}{{ ternary "y" "n" true }}{{ "A" | lower }}{{ list 1 2 }}', "xya[1 2]"],
    ["YAML with an indent", "labels:{{ YAML .metadata.labels 1 }}", 'labels:\n  x: "1"\n  "y": "2"\n  '],
    ["functions of the cluster", "{{ NodeIPWith .spec.nodeName }}", "NodeIPWith(n)"],
  ])("%s", (_, template, text) => {
    expect(rendered(template)).toBe(text);
  });

  test.each([
    ["{{ foo }}", /line 1: the function foo is not supported; supported: .*Quote/],
    ['\n\na\n{{ template "x" }}', /line 2: the action template is not supported; supported: if/],
    ["{{ if true }}", /without \{\{end\}\}/],
    ["{{ end }}", /unexpected \{\{end\}\}/],
    ["{{ $x }}", /undefined variable "\$x"/],
    ["{{ 1.5 }}", /the number 1.5 is not supported/],
    ["{{ .a", /unclosed action/],
    ["{{ 'a' }}", /unexpected .* in action/],
    ["{{ .a .b }}", /can't give argument to non-function/],
    [`{{ ${"(".repeat(500)} }}`, /more than 100 nested/],
    ["{{ /* }}", /unclosed comment/],
  ])("%s is refused", (template, message) => {
    expect(() => goTemplate(template)).toThrow(message);
  });

  test.each([
    ["{{ .metadata.nothing.deeper }}", /nil pointer evaluating/],
    ["{{ .spec.nodeName.deeper }}", /can't evaluate field deeper/],
    ["{{ index .spec.containers 7 }}", /index out of range: 7/],
    ["{{ eq .spec.nodeName 1 }}", /incompatible types/],
    ['{{ range "ab" }}{{ end }}', /can't iterate/],
  ])("%s fails on an object", (template, message) => {
    expect(() => rendered(template)).toThrow(message);
  });
});

test("nested loops end at a bound", () => {
  const list = Array.from({ length: 1000 }, () => 1);
  const template = "{{ range $.a }}{{ range $.a }}{{ range $.a }}x{{ end }}{{ end }}{{ end }}";
  expect(() => rendered(template, { a: list })).toThrow(/more than 100000 steps/);
});

test.each([
  ["Quote", `{{ "a"${" | Quote".repeat(60)} }}`, /Quote writes more than 100000/],
  ["quote", `{{ "a"${" | quote".repeat(60)} }}`, /quote writes more than 100000/],
  ["print", `{{ $a := "aa" }}${"{{ $a = print $a $a }}".repeat(60)}`, /print writes more than 100000/],
  [
    "printf",
    `{{ $a := "aa" }}${'{{ $a = printf "%s%s" $a $a }}'.repeat(60)}`,
    /printf writes more than 100000/,
  ],
  ["list", `{{ $a := list }}${"{{ $a = list $a $a }}".repeat(60)}{{ $a }}`, /a value of more than 1000000/],
  ["dict", `{{ $a := dict }}${'{{ $a = dict "a" $a "b" $a }}'.repeat(60)}{{ $a }}`, /a value of more than/],
])("%s, called again and again, has a bound", (_name, template, message) => {
  expect(() => rendered(template)).toThrow(message);
});

test("what a template writes has a bound", () => {
  const template = "{{ range $.a }}{{ $.b }}{{ end }}";
  const value = { a: Array.from({ length: 1000 }, () => 1), b: "x".repeat(2000) };
  expect(() => rendered(template, value)).toThrow(/writes more than/);
});
