//! Records as Extrae orders and words them.

use super::*;

/// Four tasks on two nodes, in one application.
const FOUR: &str = "#Paraver (01/01/70 at 00:00):9000_ns:2(2,2):1:4(1:1,1:1,1:2,1:2),2\n\
                    c:1:1:4:1:2:3:4\nc:1:2:2:2:4\n";

fn read(text: &str) -> Trace {
    let trace = opened(text).unwrap();
    assert!(trace.left_out().is_empty(), "{:?}", trace.left_out());
    trace
}

#[test]
fn a_message_is_told_behind_the_call_that_sent_it() {
    let trace = read(&format!(
        "{HEADER}1:1:1:1:1:100:130:4\n2:1:1:1:1:100:50000001:1\n\
         1:1:1:1:1:130:200:1\n2:1:1:1:1:130:50000001:0\n\
         3:1:1:1:1:100:130:2:1:2:1:140:150:8:7\n\
         2:2:1:2:1:140:50000001:2\n2:2:1:2:1:150:50000001:0\n\
         2:1:1:1:1:200:50000001:3\n2:1:1:1:1:210:50000001:0\n\
         3:1:1:1:1:200:210:2:1:2:1:190:230:16:7\n\
         2:2:1:2:1:230:50000001:6\n2:2:1:2:1:230:50000001:0\n"
    ));
    assert_eq!(calls(&trace, 0), ["init", "send 1 7 8 6", "isend 1 7 16 6", "finalize"]);
    assert_eq!(calls(&trace, 1)[1], "recv 0 7 8 6");
}

#[test]
fn a_message_may_come_before_its_record() {
    // The send ends when the receiver has gone on; then a clock that is behind.
    let trace = opened(&format!(
        "{HEADER}2:1:1:1:1:100:50000001:1\n2:2:1:2:1:105:50000001:2\n2:2:1:2:1:120:50000001:0\n\
         2:2:1:2:1:150:50000001:4\n2:2:1:2:1:151:50000001:0\n\
         2:1:1:1:1:180:50000001:0\n3:1:1:1:1:100:180:2:1:2:1:105:120:8:1\n\
         2:2:1:2:1:190:50000001:5\n2:2:1:2:1:200:50000001:0\n\
         2:1:1:1:1:210:50000001:1\n2:1:1:1:1:220:50000001:0\n\
         3:1:1:1:1:210:220:2:1:2:1:150:200:8:2\n"
    ))
    .unwrap();
    assert_eq!(trace.left_out(), ["1 dates of messages that come before they are sent"]);
    assert_eq!(calls(&trace, 0), ["init", "send 1 1 8 6", "send 1 2 8 6", "finalize"]);
    assert_eq!(
        calls(&trace, 1),
        ["init", "recv 0 1 8 6", "irecv 0 2 8 6", "wait 0 1 2", "finalize"]
    );
}

#[test]
fn requests_that_are_started_again_send_and_receive() {
    let trace = read(&format!(
        "{HEADER}2:2:1:2:1:10:50000001:116\n2:2:1:2:1:11:50000001:0\n\
         2:2:1:2:1:12:50000001:116\n2:2:1:2:1:13:50000001:0\n\
         2:2:1:2:1:20:50000003:124\n2:2:1:2:1:30:50000003:0\n\
         2:1:1:1:1:40:50000003:124\n\
         3:1:1:1:1:40:40:2:1:2:1:20:60:8:1\n3:1:1:1:1:40:40:2:1:2:1:20:60:16:2\n\
         2:1:1:1:1:50:50000003:0\n\
         2:2:1:2:1:55:50000001:6\n2:2:1:2:1:60:50000001:0\n\
         2:1:1:1:1:70:50000001:6\n2:1:1:1:1:80:50000001:0\n\
         2:2:1:2:1:90:50000003:123\n2:2:1:2:1:91:50000003:0\n\
         2:1:1:1:1:92:50000003:123\n3:1:1:1:1:92:92:2:1:2:1:90:95:24:3\n\
         2:1:1:1:1:93:50000003:0\n\
         2:2:1:2:1:94:50000001:5\n2:2:1:2:1:95:50000001:0\n"
    ));
    let sender = ["init", "isend 1 1 8 6", "isend 1 2 16 6", "wait 0 1 1", "wait 0 1 2"];
    assert_eq!(calls(&trace, 0)[..5], sender);
    let mut receiver = calls(&trace, 1);
    receiver.retain(|line| !line.is_empty());
    assert_eq!(
        receiver,
        [
            "init",
            "irecv 0 1 8 6",
            "irecv 0 2 16 6",
            "wait 0 1 1",
            "wait 0 1 2",
            "irecv 0 3 24 6",
            "wait 0 1 3",
            "finalize"
        ]
    );
}

#[test]
fn a_send_is_not_waited_for_before_its_receive_begins() {
    // The receiver asks for the first message when it has the second, which comes later.
    let trace = read(&format!(
        "{HEADER}2:2:1:2:1:90:50000001:2\n\
         2:1:1:1:1:100:50000001:3\n2:1:1:1:1:110:50000001:0\n\
         3:1:1:1:1:100:110:2:1:2:1:300:310:800000:1\n\
         2:1:1:1:1:120:50000001:6\n2:1:1:1:1:130:50000001:0\n\
         2:1:1:1:1:140:50000001:1\n2:1:1:1:1:150:50000001:0\n\
         3:1:1:1:1:140:150:2:1:2:1:90:200:8:2\n2:2:1:2:1:200:50000001:0\n\
         2:2:1:2:1:300:50000001:2\n2:2:1:2:1:310:50000001:0\n\
         2:1:1:1:1:350:50000001:5\n2:1:1:1:1:360:50000001:0\n"
    ));
    let order = ["init", "isend 1 1 800000 6", "send 1 2 8 6", "wait 0 1 1", "finalize"];
    assert_eq!(calls(&trace, 0), order);
}

#[test]
fn a_probe_completes_nothing() {
    let trace = read(&format!(
        "{HEADER}2:2:1:2:1:10:50000001:4\n2:2:1:2:1:11:50000001:0\n\
         2:1:1:1:1:20:50000001:1\n2:1:1:1:1:30:50000001:0\n\
         3:1:1:1:1:20:30:2:1:2:1:10:40:8:1\n\
         2:2:1:2:1:50:50000001:61\n2:2:1:2:1:60:50000001:0\n\
         2:1:1:1:1:70:50000002:8:50100004:1\n2:2:1:2:1:70:50000002:8:50100004:1\n\
         2:1:1:1:1:80:50000002:0\n2:2:1:2:1:80:50000002:0\n\
         2:2:1:2:1:90:50000001:5\n2:2:1:2:1:99:50000001:0\n"
    ));
    assert_eq!(calls(&trace, 1)[2..4], ["barrier", "wait 0 1 1"]);
}

/// A call of all tasks, or of the second and the fourth, with what each tells of it.
fn collective(date: u64, call: u64, comm: u64, told: &[&str]) -> String {
    let tasks: &[u64] = if comm == 1 { &[1, 2, 3, 4] } else { &[2, 4] };
    let mut text = String::new();
    for (task, told) in tasks.iter().zip(told) {
        let place = format!("2:{task}:1:{task}:1");
        text.push_str(&format!("{place}:{date}:50000002:{call}:{told}:50100004:{comm}\n"));
    }
    for task in tasks {
        text.push_str(&format!("2:{task}:1:{task}:1:{}:50000002:0\n", date + 5));
    }
    text
}

fn told(sent: u64, received: u64) -> String {
    format!("50100001:{sent}:50100002:{received}")
}

#[test]
fn roots_within_communicators_are_told_by_sizes() {
    // The root is the second member, which is the fourth task; the second task is marked.
    let marked = |sent, received| format!("{}:50100003:1", told(sent, received));
    let text = [
        collective(10, 13, 2, &[&marked(50, 0), &told(50, 100)]),
        collective(20, 15, 2, &[&marked(0, 60), &told(120, 60)]),
        collective(30, 7, 2, &[&told(0, 70), &marked(70, 0)]),
        collective(40, 9, 2, &[&told(80, 0), &marked(0, 80)]),
    ];
    let trace = read(&format!("{FOUR}{}", text.concat()));
    let lines = calls(&trace, 1);
    let of = |operation: &str| lines.iter().find(|line| line.starts_with(operation)).unwrap();
    assert_eq!(of("gather"), "gather 50 50 1 6 6");
    assert_eq!(of("scatter"), "scatter 60 60 1 6 6");
    assert_eq!(of("bcast"), "bcast 70 1 6");
    assert_eq!(of("reduce"), "reduce 10 0 1 0");
}

#[test]
fn blocks_that_are_in_place_are_found() {
    let all = |sent, received| [(); 4].map(|()| told(sent, received));
    let call = |date, number, told: &[String; 4]| {
        collective(date, number, 1, &told.each_ref().map(String::as_str))
    };
    let text = [
        call(10, 17, &all(0, 80)),
        call(20, 11, &all(0, 40)),
        call(30, 18, &all(0, 400)),
        // The first gives nothing indeed.
        call(40, 18, &[told(0, 60), told(10, 60), told(20, 60), told(30, 60)]),
        call(50, 12, &all(0, 160)),
        // Its root has its own block already.
        call(60, 14, &[told(0, 60), told(10, 0), told(20, 0), told(30, 0)]),
        call(70, 80, &[told(60, 0), told(60, 10), told(60, 20), told(60, 30)]),
    ];
    let trace = read(&format!("{FOUR}{}", text.concat()));
    assert_eq!(
        calls(&trace, 0)[1..8],
        [
            "allgather 20 20 6 6",
            "alltoall 10 10 6 6",
            "allgatherv 100 100 100 100 100 6 6",
            "allgatherv 0 0 10 20 30 6 6",
            "alltoallv 160 40 40 40 40 160 40 40 40 40 6 6",
            "gatherv 0 0 10 20 30 0 6 6",
            "reducescatter 0 10 20 30 0 6",
        ]
    );
}

#[test]
fn functions_are_on_a_stack() {
    let function = |date: u64, value: u64| format!("2:1:1:1:1:{date}:60000019:{value}\n");
    let events = [(10, 5), (20, 6), (30, 0), (40, 5), (50, 5), (60, 0), (70, 0), (80, 0), (90, 0)];
    let text = events.map(|(date, value)| function(date, value)).concat();
    let trace = read(&format!("{HEADER}{text}"));
    assert_eq!(
        calls(&trace, 0),
        [
            "init",
            "region 60000019:5",
            "region 60000019:6",
            "leave 60000019:6",
            "region 60000019:5",
            "region 60000019:5",
            "leave 60000019:5",
            "leave 60000019:5",
            "leave 60000019:5",
            "finalize"
        ]
    );
}

#[test]
fn values_of_any_size_are_read() {
    let trace = read(&format!(
        "{HEADER}2:1:1:1:1:100:2000:18446744073709551611:42000050:-3:50000001:1\n\
         2:1:1:1:1:130:50000001:0\n3:1:1:1:1:100:130:2:1:2:1:140:150:-2147483648:4294967295\n\
         2:2:1:2:1:140:50000001:2\n2:2:1:2:1:150:50000001:0\n"
    ));
    assert_eq!(calls(&trace, 0)[1], "send 1 2147483647 2147483648 6");
}

#[test]
fn what_other_threads_and_applications_do_is_told_to_be_left_out() {
    let trace = opened(
        "#Paraver (01/01/70 at 00:00):9000_ns:1(4):2:2(2:1,1:1),1(1:1),1\nc:1:1:2:1:2\n\
         2:1:1:1:2:100:50000001:1\n2:1:1:1:2:110:50000001:0\n\
         3:1:1:1:2:100:110:2:1:2:1:90:150:8:1\n3:1:1:1:1:115:120:3:2:1:1:90:150:8:1\n\
         2:3:2:1:1:130:50000002:8\n2:3:2:1:1:140:50000002:0\n",
    )
    .unwrap();
    let told = [
        "2 calls of further threads and other applications",
        "2 messages of further threads and other applications",
    ];
    assert_eq!(trace.left_out(), told);
}
