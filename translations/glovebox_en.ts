<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!--
SPDX-FileCopyrightText: Glovebox contributors
SPDX-License-Identifier: Apache-2.0
-->
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>Bundle</name>
        <message numerus="yes">
            <source>This repository is a partial clone and lacks %n object(s) of the base. Fetch them first, for example with "git fetch --refetch --no-filter".</source>
            <translation>
                <numerusform>This repository is a partial clone and lacks %n object of the base. Fetch it first, for example with "git fetch --refetch --no-filter".</numerusform>
                <numerusform>This repository is a partial clone and lacks %n objects of the base. Fetch them first, for example with "git fetch --refetch --no-filter".</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Checking</name>
        <message numerus="yes">
            <source>%n processes of the checks could not be ended, so nothing that follows could be trusted.</source>
            <translation>
                <numerusform>%n process of the checks could not be ended, so nothing that follows could be trusted.</numerusform>
                <numerusform>%n processes of the checks could not be ended, so nothing that follows could be trusted.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>CommandLine</name>
        <message numerus="yes">
            <source>Imported %n commits as %1 at %2.</source>
            <translation>
                <numerusform>Imported %n commit as %1 at %2.</numerusform>
                <numerusform>Imported %n commits as %1 at %2.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n files, +%1 -%2, %3..%4</source>
            <translation>
                <numerusform>%n file, +%1 -%2, %3..%4</numerusform>
                <numerusform>%n files, +%1 -%2, %3..%4</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n interrupted runs of an earlier start were ended.</source>
            <translation>
                <numerusform>%n interrupted run of an earlier start was ended.</numerusform>
                <numerusform>%n interrupted runs of an earlier start were ended.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Files</name>
        <message numerus="yes">
            <source>%1 is larger than %n MiB.</source>
            <translation>
                <numerusform>%1 is larger than %n MiB.</numerusform>
                <numerusform>%1 is larger than %n MiB.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::DiffDocument</name>
        <message numerus="yes">
            <source> … %n more character(s)</source>
            <extracomment>At the end of a line that is too long to be shown whole</extracomment>
            <translation>
                <numerusform> … %n more character</numerusform>
                <numerusform> … %n more characters</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::DiffFindBar</name>
        <message numerus="yes">
            <source>%n match(es)</source>
            <translation>
                <numerusform>%n match</numerusform>
                <numerusform>%n matches</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n file(s) without lines to search</source>
            <translation>
                <numerusform>%n file without lines to search</numerusform>
                <numerusform>%n files without lines to search</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::DiffView</name>
        <message numerus="yes">
            <source>%n line(s) hidden</source>
            <translation>
                <numerusform>%n line hidden</numerusform>
                <numerusform>%n lines hidden</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>, %n hidden character(s)</source>
            <translation>
                <numerusform>, %n hidden character</numerusform>
                <numerusform>, %n hidden characters</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::EventListModel</name>
        <message numerus="yes">
            <source>%n more line(s) in the log</source>
            <translation>
                <numerusform>%n more line in the log</numerusform>
                <numerusform>%n more lines in the log</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::FinishedPage</name>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n host(s) reached</source>
            <translation>
                <numerusform>%n host reached</numerusform>
                <numerusform>%n hosts reached</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n more warning(s) in report.json in the folder of the run.</source>
            <translation>
                <numerusform>%n more warning in report.json in the folder of the run.</numerusform>
                <numerusform>%n more warnings in report.json in the folder of the run.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>What came back holds %n hazard(s). Return lists them.</source>
            <translation>
                <numerusform>What came back holds %n hazard. Return lists it.</numerusform>
                <numerusform>What came back holds %n hazards. Return lists them.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n still listed</source>
            <translation>
                <numerusform>%n still listed</numerusform>
                <numerusform>%n still listed</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::LiveSide</name>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::LogView</name>
        <message numerus="yes">
            <source>%n new line(s)</source>
            <translation>
                <numerusform>%n new line</numerusform>
                <numerusform>%n new lines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::MainWindow</name>
        <message numerus="yes">
            <source>%n run(s) working</source>
            <translation>
                <numerusform>%n run working</numerusform>
                <numerusform>%n runs working</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>and %n more</numerusform>
                <numerusform>and %n more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) still working. Close the window?</source>
            <translation>
                <numerusform>%n run is still working. Close the window?</numerusform>
                <numerusform>%n runs are still working. Close the window?</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::PlanPage</name>
        <message numerus="yes">
            <source>%n command(s)</source>
            <translation>
                <numerusform>%n command</numerusform>
                <numerusform>%n commands</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::ReviewPage</name>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n path(s) outside the task's scope.</source>
            <translation>
                <numerusform>%n path outside the task's scope.</numerusform>
                <numerusform>%n paths outside the task's scope.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::RunsPage</name>
        <message numerus="yes">
            <source>%n run(s) on this computer</source>
            <translation>
                <numerusform>%n run on this computer</numerusform>
                <numerusform>%n runs on this computer</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The filter holds back %n run(s).</source>
            <translation>
                <numerusform>The filter holds back %n run.</numerusform>
                <numerusform>The filter holds back %n runs.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::StartPage</name>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n need(s) you</source>
            <translation>
                <numerusform>%n needs you</numerusform>
                <numerusform>%n need you</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::TaskListModel</name>
        <message numerus="yes">
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n error</numerusform>
                <numerusform>%n errors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n warning</numerusform>
                <numerusform>%n warnings</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::TaskPage</name>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n warning</numerusform>
                <numerusform>%n warnings</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n error</numerusform>
                <numerusform>%n errors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n command(s)</source>
            <translation>
                <numerusform>%n command</numerusform>
                <numerusform>%n commands</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Glovebox::TasksPage</name>
        <message numerus="yes">
            <source>%1 · %n more file(s) are not listed</source>
            <translation>
                <numerusform>%1 · %n more file is not listed</numerusform>
                <numerusform>%1 · %n more files are not listed</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ImportHazards</name>
        <message numerus="yes">
            <source>The bundle carried %n object(s) that do not belong to the branch; they are not imported.</source>
            <translation>
                <numerusform>The bundle carried %n object that does not belong to the branch; it is not imported.</numerusform>
                <numerusform>The bundle carried %n objects that do not belong to the branch; they are not imported.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The branch has %n commits.</source>
            <translation>
                <numerusform>The branch has %n commit.</numerusform>
                <numerusform>The branch has %n commits.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The branch changes %n files.</source>
            <translation>
                <numerusform>The branch changes %n file.</numerusform>
                <numerusform>The branch changes %n files.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Pipeline</name>
        <message numerus="yes">
            <source>%1 has had no room for another sandbox in %n tries: %2 End sandboxes there, or run the task again later.</source>
            <translation>
                <numerusform>%1 has had no room for another sandbox in %n try: %2 End sandboxes there, or run the task again later.</numerusform>
                <numerusform>%1 has had no room for another sandbox in %n tries: %2 End sandboxes there, or run the task again later.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n files outside the scope. The branch is kept.</source>
            <translation>
                <numerusform>%n file outside the scope. The branch is kept.</numerusform>
                <numerusform>%n files outside the scope. The branch is kept.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Plan</name>
        <message numerus="yes">
            <source>%1, %n objects</source>
            <translation>
                <numerusform>%1, %n object</numerusform>
                <numerusform>%1, %n objects</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Process</name>
        <message numerus="yes">
            <source>%1 wrote more than %n MiB and was stopped.</source>
            <translation>
                <numerusform>%1 wrote more than %n MiB and was stopped.</numerusform>
                <numerusform>%1 wrote more than %n MiB and was stopped.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Repository</name>
        <message numerus="yes">
            <source>%1 is larger than %n MiB.</source>
            <translation>
                <numerusform>%1 is larger than %n MiB.</numerusform>
                <numerusform>%1 is larger than %n MiB.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Run</name>
        <message numerus="yes">
            <source>%n command(s)</source>
            <translation>
                <numerusform>%n command</numerusform>
                <numerusform>%n commands</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Sealing</name>
        <message numerus="yes">
            <source>%n processes of the agent could not be ended, so nothing there can be trusted. Use verify: clean.</source>
            <translation>
                <numerusform>%n process of the agent could not be ended, so nothing there can be trusted. Use verify: clean.</numerusform>
                <numerusform>%n processes of the agent could not be ended, so nothing there can be trusted. Use verify: clean.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Transcript</name>
        <message numerus="yes">
            <source>%n lines</source>
            <translation>
                <numerusform>%n line</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n files</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
    </context>
</TS>
