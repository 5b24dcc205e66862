/** A node of a YAML document. Lines count from zero. */
export type YamlNode = YamlScalar | YamlSequence | YamlMapping | YamlAlias;

export interface YamlScalar {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string;
  /** The full tag, such as `tag:yaml.org,2002:str`; empty if there is none. */
  readonly tag: string;
  /** Whether the value determines the type, because it has neither quotes nor a tag. */
  readonly isImplicit: boolean;
}

export interface YamlSequence {
  readonly kind: "sequence";
  readonly line: number;
  readonly items: readonly YamlNode[];
}

export interface YamlMapping {
  readonly kind: "mapping";
  readonly line: number;
  readonly entries: readonly (readonly [key: YamlNode, value: YamlNode])[];
}

export interface YamlAlias {
  readonly kind: "alias";
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
