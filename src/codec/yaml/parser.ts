import { YamlProblem } from "./cursor.ts";
import type { YamlMapping, YamlNode, YamlScalar, YamlSequence } from "./node.ts";
import { Scanner, type Token, type TokenType } from "./scanner.ts";

/** An unexpected token. Upstream reports its line differently from the line of a scanner error. */
export class GrammarProblem extends YamlProblem {}

/** The anchor and tag before a node. */
interface Properties {
  readonly anchor: string;
  readonly tag: string;
  readonly line: number;
}

type Kind = "block" | "flow";

/** Parses the first document of a text; undefined if there is none. The rest of the text is ignored. */
export class Parser {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #tagPrefixes = new Map<string, string>();

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  /** The position up to which the text has been read. */
  get position(): number {
    return this.#scanner.position;
  }

  document(): YamlNode | undefined {
    if (this.#is("streamEnd")) return undefined;
    const isExplicit = this.#is("versionDirective", "tagDirective", "documentStart");
    this.#directives();
    let root: YamlNode;
    if (isExplicit) {
      const start = this.#scanner.next();
      if (start.type !== "documentStart") throw grammar("did not find expected <document start>", start);
      root = this.#is("versionDirective", "tagDirective", "documentStart", "documentEnd", "streamEnd")
        ? emptyScalar(this.#scanner.peek().line)
        : this.#node("block");
    } else {
      root = this.#node("block");
    }
    // Upstream checks for the end of the document here, and so reports unreadable characters.
    this.#scanner.peek();
    return root;
  }

  #is(...types: readonly TokenType[]): boolean {
    return types.includes(this.#scanner.peek().type);
  }

  #directives(): void {
    let hasVersion = false;
    while (this.#is("versionDirective", "tagDirective")) {
      const directive = this.#scanner.next();
      const { type, value, suffix } = directive;
      if (type === "versionDirective") {
        if (hasVersion) throw grammar("found duplicate %YAML directive", directive);
        if (value !== "1" || suffix !== "1") throw grammar("found incompatible YAML document", directive);
        hasVersion = true;
      } else {
        if (this.#tagPrefixes.has(value)) throw grammar("found duplicate %TAG directive", directive);
        this.#tagPrefixes.set(value, suffix);
      }
    }
    if (!this.#tagPrefixes.has("!")) this.#tagPrefixes.set("!", "!");
    if (!this.#tagPrefixes.has("!!")) this.#tagPrefixes.set("!!", "tag:yaml.org,2002:");
  }

  /** `mayBeIndentless`: the value of a key may be a sequence with its dashes at the key's indent. */
  #node(kind: Kind, mayBeIndentless = false): YamlNode {
    if (this.#is("alias")) return this.#alias();
    const properties = this.#properties();
    const { anchor, tag, line } = properties;
    const token = this.#scanner.peek();
    switch (token.type) {
      case "plainScalar":
      case "scalar": {
        this.#scanner.next();
        const isImplicit = tag === "!" || (tag === "" && token.type === "plainScalar");
        return this.#anchored(anchor, { kind: "scalar", line, value: token.value, tag, isImplicit });
      }
      case "flowSequenceStart":
        return this.#sequence(properties, (items) => this.#flowSequence(items));
      case "flowMappingStart":
        return this.#mapping(properties, (entries) => this.#flowMapping(entries));
      case "blockEntry":
        if (mayBeIndentless) return this.#sequence(properties, (items) => this.#indentlessSequence(items));
        break;
      case "blockSequenceStart":
        if (kind === "block") return this.#sequence(properties, (items) => this.#blockSequence(items));
        break;
      case "blockMappingStart":
        if (kind === "block") return this.#mapping(properties, (entries) => this.#blockMapping(entries));
        break;
    }
    if (anchor === "" && tag === "") throw grammar("did not find expected node content", token);
    return this.#anchored(anchor, { kind: "scalar", line, value: "", tag, isImplicit: tag === "" });
  }

  #alias(): YamlNode {
    const { value: name, line } = this.#scanner.next();
    const target = this.#anchors.get(name);
    // No line, because upstream reports this after parsing.
    if (target === undefined) throw new GrammarProblem(`unknown anchor '${name}' referenced`, 0);
    return { kind: "alias", line, name, target };
  }

  /** An anchor and a tag, in either order. */
  #properties(): Properties {
    const { line } = this.#scanner.peek();
    let anchor = "";
    let tag: Token | undefined;
    if (this.#is("anchor")) anchor = this.#scanner.next().value;
    if (this.#is("tag")) tag = this.#scanner.next();
    if (anchor === "" && this.#is("anchor")) anchor = this.#scanner.next().value;
    // Upstream scans the next token before it resolves the tag.
    this.#scanner.peek();
    return { anchor, tag: tag === undefined ? "" : this.#fullTag(tag), line };
  }

  #fullTag(token: Token): string {
    const { value: handle, suffix } = token;
    if (handle === "") return suffix;
    const prefix = this.#tagPrefixes.get(handle);
    if (prefix === undefined) throw grammar("found undefined tag handle", token);
    return prefix + suffix;
  }

  #anchored<Node extends YamlNode>(anchor: string, node: Node): Node {
    if (anchor !== "") this.#anchors.set(anchor, node);
    return node;
  }

  /** The anchor is defined before the items are read, so that self-references are detected. */
  #sequence({ anchor, line }: Properties, read: (items: YamlNode[]) => void): YamlSequence {
    const items: YamlNode[] = [];
    const node = this.#anchored(anchor, { kind: "sequence", line, items });
    read(items);
    return node;
  }

  #mapping({ anchor, line }: Properties, read: (entries: [YamlNode, YamlNode][]) => void): YamlMapping {
    const entries: [YamlNode, YamlNode][] = [];
    const node = this.#anchored(anchor, { kind: "mapping", line, entries });
    read(entries);
    return node;
  }

  #blockSequence(items: YamlNode[]): void {
    this.#scanner.next();
    while (this.#is("blockEntry")) {
      const { line } = this.#scanner.next();
      items.push(this.#is("blockEntry", "blockEnd") ? emptyScalar(line) : this.#node("block"));
    }
    this.#end("blockEnd", "did not find expected '-' indicator");
  }

  #indentlessSequence(items: YamlNode[]): void {
    while (this.#is("blockEntry")) {
      const { line } = this.#scanner.next();
      const isEmpty = this.#is("blockEntry", "key", "value", "blockEnd");
      items.push(isEmpty ? emptyScalar(line) : this.#node("block"));
    }
  }

  #blockMapping(entries: [YamlNode, YamlNode][]): void {
    this.#scanner.next();
    while (this.#is("key")) {
      const key = this.#blockPart(this.#scanner.next().line);
      const { line } = this.#scanner.peek();
      entries.push([key, this.#is("value") ? this.#blockPart(this.#scanner.next().line) : emptyScalar(line)]);
    }
    this.#end("blockEnd", "did not find expected key");
  }

  #blockPart(line: number): YamlNode {
    return this.#is("key", "value", "blockEnd") ? emptyScalar(line) : this.#node("block", true);
  }

  #flowSequence(items: YamlNode[]): void {
    this.#flowItems("flowSequenceEnd", "did not find expected ',' or ']'", () => {
      items.push(this.#is("key") ? this.#pair() : this.#node("flow"));
    });
  }

  /** A mapping with one entry in a flow sequence, without braces. */
  #pair(): YamlMapping {
    const { line } = this.#scanner.next();
    let key: YamlNode;
    if (this.#is("value", "flowEntry", "flowSequenceEnd")) {
      // Upstream treats the token after an empty key as the colon of its value.
      key = emptyScalar(this.#scanner.next().line);
    } else {
      key = this.#node("flow");
    }
    return { kind: "mapping", line, entries: [[key, this.#flowValue("flowSequenceEnd")]] };
  }

  #flowMapping(entries: [YamlNode, YamlNode][]): void {
    this.#flowItems("flowMappingEnd", "did not find expected ',' or '}'", () => {
      if (!this.#is("key")) {
        const key = this.#node("flow");
        entries.push([key, emptyScalar(this.#scanner.peek().line)]);
        return;
      }
      this.#scanner.next();
      const isEmpty = this.#is("value", "flowEntry", "flowMappingEnd");
      const key = isEmpty ? emptyScalar(this.#scanner.peek().line) : this.#node("flow");
      entries.push([key, this.#flowValue("flowMappingEnd")]);
    });
  }

  #flowValue(end: TokenType): YamlNode {
    if (this.#is("value")) {
      this.#scanner.next();
      if (!this.#is("flowEntry", end)) return this.#node("flow");
    }
    return emptyScalar(this.#scanner.peek().line);
  }

  /** Items between brackets, separated by commas. A trailing comma is allowed. */
  #flowItems(end: TokenType, problem: string, readItem: () => void): void {
    this.#scanner.next();
    for (let isFirst = true; !this.#is(end); isFirst = false) {
      if (!isFirst) {
        const comma = this.#scanner.peek();
        if (comma.type !== "flowEntry") throw grammar(problem, comma);
        this.#scanner.next();
        if (this.#is(end)) break;
      }
      readItem();
    }
    this.#scanner.next();
  }

  #end(type: TokenType, problem: string): void {
    const token = this.#scanner.peek();
    if (token.type !== type) throw grammar(problem, token);
    this.#scanner.next();
  }
}

function grammar(message: string, { line }: Token): GrammarProblem {
  return new GrammarProblem(message, line);
}

function emptyScalar(line: number): YamlScalar {
  return { kind: "scalar", line, value: "", tag: "", isImplicit: true };
}
