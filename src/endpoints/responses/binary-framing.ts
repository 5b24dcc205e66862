import { encodeCborWatchFrame } from "../../codec/watch-frames.ts";
import { requiredStruct, structOfKind } from "../../schema/kind-schema.ts";
import { documentForm, type Framing } from "./event-framing.ts";
import type { Answering } from "./respond.ts";

/** Loads the encoder of CBOR. */
export async function cborFraming({ scope }: Answering): Promise<Framing> {
  const { encodeCbor } = await import("../../codec/cbor/cbor.ts");
  const formOf = scope.forms.frames.cbor;
  return {
    contentType: "application/cbor-seq",
    formOf: (type) => formOf[type],
    objectFrame: (type, object) =>
      object.encoded(
        formOf[type],
        (value) => encodeCborWatchFrame(type, encodeCbor(value, structOfKind(scope.schema))),
        "write",
      ),
    document: (value, schema) => encodeCbor(value, schema && structOfKind(schema)),
    frame: encodeCborWatchFrame,
  };
}

/** Loads the encoder of protobuf. */
export async function protobufFraming({ scope }: Answering): Promise<Framing> {
  const { encodeProtobuf } = await import("../../codec/protobuf/protobuf.ts");
  const { protobufDocument } = await import("../../codec/protobuf-answers.ts");
  const { encodeWatchFrame } = await import("../../codec/protobuf/watch-frame.ts");
  const formOf = scope.forms.frames.protobuf;
  return {
    contentType: "application/vnd.kubernetes.protobuf;stream=watch",
    formOf: () => documentForm(scope, "application/vnd.kubernetes.protobuf"),
    objectFrame: (type, object) =>
      object.encoded(
        formOf[type],
        () => encodeWatchFrame(type, protobufDocument(object, scope, "write")),
        "write",
      ),
    document: (value, schema) => encodeProtobuf(requiredStruct(schema), value),
    frame: encodeWatchFrame,
  };
}
