//! The page as a file: nothing in names can break it.

use super::*;
use crate::timed::Letter;

#[test]
fn the_page_has_all_of_a_run_and_nothing_can_end_its_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.html");
    let cast = Cast {
        program: "</script><b>".into(),
        machine: "m".into(),
        nodes: vec!["</script>".into()],
        places: vec![0, 0],
    };
    let mut page: Box<dyn Writer> = Box::new(Page::create(&path, cast).unwrap());
    let letter = Letter { from: 0, to: 1, bytes: 100, ..Letter::default() };
    let message = Message {
        letter,
        called: 1.0,
        sent: 1.0,
        departed: 1.0,
        posted: 0.5,
        arrived: 2.0,
        place: None,
    };
    page.write(0.0, &Event::Names { state: 0, name: "MPI_Recv", place: None });
    page.write(0.0, &Event::Draws { node: 0, watts: 95.0 });
    page.write(0.0, &Event::Runs { node: 0, pstate: 0, speed: 2.5e9 });
    page.write(2.0, &Event::Delivers(&message));
    let stay = Event::Leaves { rank: 1, state: 0, since: 0.5, waited: 1.0, collective: None };
    page.write(2.0, &stay);
    page.finish(2.0).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.matches("</script>").count(), 4);
    assert!(text.contains("&lt;/script&gt;&lt;b&gt; on m"));
    assert!(text.contains("\"counts\":[0,1],\"messages\":1"), "{text}");
    assert!(text.contains("\"power\":[[0,95.000]],\"speed\":[[0,2.500]]"));
    assert!(text.contains("\"cells\":[[0,1,1,100]]"));
    assert!(text.contains("Late senders: 1 messages, receivers waited 500.000 ms"));
}
