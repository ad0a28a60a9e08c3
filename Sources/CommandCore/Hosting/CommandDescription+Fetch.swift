// SPDX-License-Identifier: Apache-2.0

import ModelPublishing

extension CommandDescription {
  /// `martlet fetch`, to the program that is asked for it and to the one that does it.
  package static func fetch(
    adding options: [OptionDescription] = [], action: @escaping Action
  ) -> CommandDescription {
    CommandDescription(
      "fetch", "Download a model from a host, and print the path of its file.",
      discussion: """
        What is on disk and still the host's latest version is not downloaded again. A download \
        that was interrupted goes on where it stopped, and the older file stays until the new \
        one is complete and checked.

        A host speaks the protocol of Firebase ML ('martlet publish' writes one), is a \
        repository in the layout of Hugging Face, whose token the variable HF_TOKEN may hold, or \
        a folder with NAME.tflite and NAME.tflite.sha256.
        """,
      arguments: [ArgumentDescription("name", "The model's name.")],
      options: fetchOptions + options, isReading: false, action: action)
  }

  private static let fetchOptions: [OptionDescription] = [
    .value("host", "url", "The host's address.", defaultValue: "Firebase's or Hugging Face's"),
    .choice(
      "layout", ["firebase", "huggingface", "files"], "What kind of host it is.",
      defaultValue: "firebase"),
    .value("project", "p", "The project, of a host that speaks Firebase's protocol."),
    .value("api-key", "k", "The key of the project."),
    .value("repository", "owner/name", "The repository, of a Hugging Face host."),
    .value("revision", "r", "The branch, tag or commit there.", defaultValue: "main"),
    .value(
      "cache", "dir", "The folder for models.",
      defaultValue: StoreFolder.environmentVariable + ", else the user's data folder",
      completion: .folders),
    .value("timeout", "seconds", "The longest time for everything.", defaultValue: "600"),
    .flag("offline", "Make no request: the model on disk, if it is there and intact."),
    .flag("allow-http", "Allow plain http to other machines, which anyone may listen to."),
    .json,
  ]
}
